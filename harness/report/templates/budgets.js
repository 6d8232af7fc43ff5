"use strict";
// A budget by sliders: every stop was counted before; this only looks it up.
(() => {
  const el = (tag, properties = {}, ...children) => {
    const node = Object.assign(document.createElement(tag), properties);
    node.append(...children);
    return node;
  };
  const count = (n) => n.toLocaleString("en-US");
  const ABSENT = "not identified";
  const share = (n) => (n === null ? ABSENT : `${(100 * n).toFixed(1)}\u00a0%`);
  const change = (n) => {
    if (n === null) return ABSENT;
    const text = (100 * (n - 1)).toFixed(1);
    return `${/^-?0\.0$/.test(text) ? "0.0" : n > 1 ? `+${text}` : text}\u00a0%`;
  };
  const usd = (n) => (n === null ? ABSENT : n.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: n < 1 ? 4 : 2 }));
  const part = (n, of) => (of ? n / of : null);

  const budgets = (section, { totals, floor, transcripts, ladders }) => {
    const form = section.querySelector("form");
    const [axes, jumps] = [".axes", ".jumps"].map((s) => form.querySelector(s));
    const [said, figures, risks, listed] = [".said", ".figures tbody", ".risks tbody", ".listed"].map((s) => section.querySelector(s));
    let sliders = [];
    const ladder = () => ladders[Number(form.ladder.value)];
    const numberOf = (own, places) => own.axes.reduce((at, axis, n) => at * axis.values.length + places[n], 0);
    const placesOf = (own, number) => {
      const places = [];
      for (const axis of [...own.axes].reverse()) {
        places.unshift(number % axis.values.length);
        number = Math.floor(number / axis.values.length);
      }
      return places;
    };

    // The most that any stop shows for no more tokens than this one costs.
    const rival = (own, n) => {
      let best = null;
      ladders.forEach((other, number) => {
        if (other === own) return;
        other.tokens.forEach((tokens, at) => {
          if (tokens > own.tokens[n]) return;
          const better = !best || other.whole[at] > best.own.whole[best.at] || (other.whole[at] === best.own.whole[best.at] && tokens < best.own.tokens[best.at]);
          if (better) best = { own: other, number, at };
        });
      });
      return best;
    };

    const hiddenIn = (own, n, places) =>
      own.requests
        .map(([transcript, request, dependencies]) => {
          let [hidden, gone, borne] = [0, 0, 0];
          for (const [alike, isGone, sources] of dependencies) {
            borne += alike;
            const seen = sources.some((needs) => {
              const fits = needs[needs.length - 1];
              return (fits >= 0 && fits <= own.kept[n]) || places.some((place, axis) => place >= needs[axis]);
            });
            if (seen) continue;
            hidden += alike;
            if (isGone) gone += alike;
          }
          return { transcript, request, hidden, gone, borne };
        })
        .filter((r) => r.hidden)
        .sort((a, b) => b.hidden - a.hidden)
        .slice(0, own.listed);

    const show = () => {
      const own = ladder();
      const places = sliders.map((slider) => Number(slider.value));
      const n = numberOf(own, places);
      const mark = own.marks.find(([at]) => at === n);
      sliders.forEach((slider, axis) => {
        const text = `${count(own.axes[axis].values[places[axis]])} bytes`;
        slider.setAttribute("aria-valuetext", text);
        slider.nextElementSibling.textContent = text;
      });
      const seen = part(own.whole[n], totals.bearing);
      const gone = own.held[n] + own.lost[n];
      said.textContent =
        `${own.policy[n]}${mark ? ` (${mark[1]})` : ""}: ${count(own.tokens[n])} input tokens, ${change(part(own.tokens[n], totals.tokens))} on the bill; ` +
        `all visible at ${share(seen)} of requests with dependencies on the bill, ${share(own.whole_typical[n])} typical; ` +
        `${count(gone)} dependenc${gone === 1 ? "y" : "ies"} held or lost.`;
      const row = (name, bill, typical = "") => {
        const head = el("th", {}, name);
        head.scope = "row";
        return el("tr", {}, head, el("td", { className: "n" }, bill), el("td", { className: "n" }, typical));
      };
      const best = rival(own, n);
      const rows = [
        row("input tokens against identity", change(part(own.tokens[n], totals.tokens)), change(own.tokens_typical[n])),
        row("input tokens", count(own.tokens[n])),
        row("USD, warm cache", own.usd[n] === null || totals.usd === null ? ABSENT : `${usd(own.usd[n])} (${change(part(own.usd[n], totals.usd))})`),
        row("requests that see all they depend on", share(seen), share(own.whole_typical[n])),
        row("of them", `${count(own.whole[n])} of ${count(totals.bearing)}`),
        row(`lower bound, 95 %; the floor is ${share(floor)}`, own.bound[n] === null ? ABSENT : `${share(own.bound[n])}: ${own.bound[n] >= floor ? "met" : "not met"}`),
        row("dependencies visible", `${count(own.visible[n])} of ${count(totals.borne)}`),
        row("not visible, a tool brings them back", count(own.reachable[n])),
        row("the same, if an unknown tool reads files", count(own.unknown[n])),
        row("held under a handle that nothing reads", count(own.held[n])),
        row("lost", count(own.lost[n])),
      ];
      if (best) {
        const name = el("button", { type: "button" }, best.own.policy[best.at]);
        name.addEventListener("click", () => go(best.number, best.at));
        const last = row("", share(part(best.own.whole[best.at], totals.bearing)), share(best.own.whole_typical[best.at]));
        last.cells[0].append("the most that another shows for no more tokens: ", name);
        rows.push(last);
      }
      figures.replaceChildren(...rows);
      const found = hiddenIn(own, n, places);
      const atRisk = totals.bearing - own.whole[n];
      listed.textContent = atRisk && !own.listed
        ? `${count(atRisk)} requests; they take from too many results to be listed here.`
        : found.length
        ? `Most first; ${count(found.length)} of ${count(atRisk)} requests. The text of one: harness show FILE --policy '${own.policy[n]}' --request N`
        : "None: every request sees all that it depends on.";
      risks.replaceChildren(
        ...found.map(({ transcript, request, hidden, gone: lost, borne }) => {
          const name = transcripts[transcript];
          const head = el("th", { title: name }, name.length > 40 ? `…${name.slice(-39)}` : name);
          head.scope = "row";
          return el("tr", {}, head, ...[request, hidden, borne, lost].map((value) => el("td", { className: "n" }, count(value))));
        })
      );
    };

    const build = (number, at) => {
      form.ladder.value = number;
      const own = ladder();
      const places = placesOf(own, at);
      sliders = [];
      axes.replaceChildren();
      own.axes.forEach((axis, n) => {
        const id = `${section.id}-${axis.name}`;
        const slider = el("input", { type: "range", id, min: 0, max: axis.values.length - 1, step: 1, value: places[n] });
        const label = el("label", { htmlFor: id }, axis.words, " (", el("code", {}, axis.name), ")");
        slider.addEventListener("input", show);
        sliders.push(slider);
        axes.append(el("div", {}, label, slider, el("span", { className: "at" })));
      });
      jumps.replaceChildren(
        ...own.marks.map(([stop, words]) => {
          const button = el("button", { type: "button" }, `${words}`);
          button.addEventListener("click", () => go(number, stop));
          return button;
        })
      );
      show();
    };
    const go = (number, at) => {
      build(number, at);
      sliders[0].focus();
    };

    ladders.forEach((own, n) => form.ladder.append(el("option", { value: n }, own.name)));
    const start = (own) => (own.marks.length ? own.marks[0][0] : 0);
    form.ladder.addEventListener("change", () => build(Number(form.ladder.value), start(ladder())));
    form.addEventListener("submit", (event) => event.preventDefault());
    const recommended = ladders.findIndex((own) => own.marks.some(([, words]) => words === "recommended"));
    const first = Math.max(recommended, 0);
    build(first, start(ladders[first]));
    form.hidden = section.querySelector(".stop").hidden = false;
    section.querySelector("details").open = false;
  };

  for (const [at, data] of Object.entries(JSON.parse(document.getElementById("data").textContent))) {
    if (data.budgets) budgets(document.getElementById(`${at}budgets`), data.budgets);
  }
})();
