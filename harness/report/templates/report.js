"use strict";
(() => {
  const el = (tag, properties = {}, ...children) => {
    const node = Object.assign(document.createElement(tag), properties);
    node.append(...children);
    return node;
  };
  const count = (n) => Math.round(n).toLocaleString("en-US");
  const size = (n) => (n < 1000 ? `${n} B` : n < 1e6 ? `${(n / 1e3).toFixed(1)} kB` : `${(n / 1e6).toFixed(1)} MB`);

  // Sorting: every heading is a button; groups of rows (one tbody each) keep their place.
  const valueOf = (cell) => {
    if (!cell) return "";
    if (cell.dataset.v !== undefined) return Number(cell.dataset.v);
    if (!cell.classList.contains("n")) return cell.textContent.trim();
    const number = parseFloat(cell.textContent.replaceAll(",", ""));
    return Number.isNaN(number) ? -Infinity : number;
  };
  const compare = (a, b) =>
    typeof a === "number" && typeof b === "number" ? (a < b ? -1 : a > b ? 1 : 0) : String(a).localeCompare(String(b));
  const sortBy = (table, heading) => {
    const first = heading.classList.contains("n") ? "descending" : "ascending";
    const other = first === "descending" ? "ascending" : "descending";
    const order = heading.getAttribute("aria-sort") === first ? other : first;
    for (const th of table.tHead.rows[0].cells) th.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", order);
    const sign = order === "ascending" ? 1 : -1;
    for (const body of table.tBodies) {
      const rows = [...body.rows].filter((r) => !r.classList.contains("group"));
      rows.sort((r, s) => sign * compare(valueOf(r.cells[heading.cellIndex]), valueOf(s.cells[heading.cellIndex])));
      body.append(...rows);
    }
  };
  const sortable = (table) => {
    for (const th of table.tHead.rows[0].cells) {
      if (!th.textContent.trim()) continue; // a button needs a name
      const button = el("button", { type: "button" }, ...th.childNodes);
      button.addEventListener("click", () => sortBy(table, th));
      th.append(button);
    }
  };
  document.querySelectorAll("table.data").forEach(sortable);

  // Filtering: one field for all tables; "/" goes to it, Escape empties it.
  const field = el("input", { type: "search", placeholder: "filter rows ( / )", id: "filter" });
  field.setAttribute("aria-label", "Filter the rows of all tables");
  document.querySelector("nav ul").append(el("li", {}, field));
  const filter = () => {
    const wanted = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of document.querySelectorAll("table.data tbody tr:not(.group)")) {
      const text = `${row.textContent} ${row.cells[0].title}`.toLowerCase();
      row.hidden = !wanted.every((w) => text.includes(w));
    }
  };
  field.addEventListener("input", filter);
  document.addEventListener("keydown", (event) => {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      field.focus();
    } else if (event.key === "?" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      const words = document.getElementById("glossary");
      words.click();
      document.querySelector(`${words.getAttribute("href")} h2`)?.focus();
    } else if (event.key === "Escape" && event.target === field) {
      field.value = "";
      filter();
    }
  });

  // Request by request, under two policies: one view a replay, by what stands in front of its anchors.
  const requestByRequest = (at, data) => {
    const form = document.getElementById(`${at}pick`);
    const shown = document.getElementById(`${at}shown`);
    const name = (n) => data.names[n];
    const under = (requests, policy) => {
      const saved = requests.saved[policy];
      return requests.prompt_tokens.map((n, k) => n - (saved ? saved[k] : 0));
    };
    const cachedUnder = (requests, policy) => {
      const less = requests.uncached[policy];
      return requests.cached_warm.map((n, k) => n - (less ? less[k] : 0));
    };
    const changedUnder = (results, policy) => new Map(results.changed[policy].map(([n, ...rest]) => [n, rest]));
    const rendering = (change, tokens) => {
      if (!change) return `${count(tokens)} tokens`;
      const reach = name(change[2]);
      const gone = change[1] ? `, ${size(change[1])} elided` : "";
      return `${count(change[0])} tokens${gone}${reach ? ` (back by ${reach})` : ""}`;
    };
    const arrivals = (results, from, to, changes) => {
      const list = el("ul", { className: "arrived" });
      let same = 0;
      results.message.forEach((message, n) => {
        if (message < from || message >= to) return;
        const [a, b] = changes.map((c) => c.get(n));
        if (!a && !b) {
          same += 1;
          return;
        }
        const clipped = name(results.clipped[n]) ? ", already clipped" : "";
        const what = `${name(results.tool[n]) || "(unknown tool)"}, ${name(results.content[n])}, ${size(results.value_bytes[n])}${clipped}: `;
        list.append(
          el("li", {}, what, el("span", { className: "key a" }), ` ${rendering(a, results.tokens[n])} `,
            el("span", { className: "key b" }), ` ${rendering(b, results.tokens[n])}`)
        );
      });
      if (same) list.append(el("li", {}, `${same} result${same > 1 ? "s" : ""} as recorded under both`));
      return list;
    };
    const hiddenAt = (requests, policy, k) =>
      ["reachable", "held", "lost"]
        .map((state, n) => [state, (requests.hidden[policy][n].find((pair) => pair[0] === k) || [0, 0])[1]])
        .filter(([, n]) => n)
        .map(([state, n]) => `${n} ${state}`)
        .join(", ") || "none";
    const number = (n) => el("td", { className: "n" }, count(n));

    const draw = (view, a, b) => {
      const transcript = data.transcripts[view];
      const { requests, results } = transcript;
      if (!requests) {
        shown.replaceChildren(el("p", {}, "This transcript has no requests."));
        return;
      }
      const [left, right] = [under(requests, a), under(requests, b)];
      const [warmA, warmB] = [cachedUnder(requests, a), cachedUnder(requests, b)];
      const largest = Math.max(1, ...left, ...right);
      const changes = results ? [changedUnder(results, a), changedUnder(results, b)] : [];
      const headings = ["request", "prompt tokens", "B − A", "cached A, warm", "cached B, warm", "output"];
      const evidence = requests.borne !== undefined;
      if (evidence) headings.push("borne atoms", "not visible, A", "not visible, B");
      headings.push("results that arrived before it");
      const head = el("tr");
      headings.forEach((h, n) => {
        const th = el("th", { className: n === 1 || /^(not|results)/.test(h) ? "" : "n" }, h);
        th.scope = "col";
        head.append(th);
      });
      const body = el("tbody");
      left.forEach((tokens, k) => {
        const bars = el("div", { className: "pair" });
        for (const [side, n] of [["a", tokens], ["b", right[k]]]) {
          const bar = el("i", { className: side });
          bar.style.width = `${(100 * n) / largest}%`;
          bars.append(bar, el("span", {}, count(n)));
        }
        const first = el("th", { className: "n" }, `${k + 1}${requests.cuts[k] > (k ? requests.cuts[k - 1] : 0) ? " ✂" : ""}`);
        first.scope = "row";
        first.dataset.v = k + 1;
        if (first.textContent.endsWith("✂")) first.title = "the recording was compacted, cleared or rewound before it";
        const cell = el("td", {}, bars);
        cell.dataset.v = right[k];
        const row = el("tr", {}, first, cell, number(right[k] - tokens), number(warmA[k]), number(warmB[k]), number(requests.output_tokens[k]));
        [right[k] - tokens, warmA[k], warmB[k], requests.output_tokens[k]].forEach((v, n) => (row.cells[n + 2].dataset.v = v));
        if (evidence) {
          const borne = requests.borne[k];
          row.append(number(borne), el("td", {}, borne ? hiddenAt(requests, a, k) : "-"), el("td", {}, borne ? hiddenAt(requests, b, k) : "-"));
          row.cells[6].dataset.v = borne;
        }
        const from = k ? requests.message[k - 1] : 0;
        row.append(el("td", {}, results ? arrivals(results, from, requests.message[k], changes) : ""));
        body.append(row);
      });
      const total = (values) => values.reduce((sum, n) => sum + n, 0);
      const [sumA, sumB] = [total(left), total(right)];
      const caption = el("p", {}, `${transcript.id}: ${name(transcript.format)}${name(transcript.model) ? `, ${name(transcript.model)}` : ""}, ${count(left.length)} requests. `,
        el("span", { className: "key a" }), ` A, ${data.policies[a]}: ${count(sumA)} input tokens. `,
        el("span", { className: "key b" }), ` B, ${data.policies[b]}: ${count(sumB)}${sumA ? ` (${((100 * (sumB - sumA)) / sumA).toFixed(1)} %)` : ""}.`);
      caption.style.overflowWrap = "anywhere";
      const table = el("table", { className: "data" }, el("caption", {}, "Requests"), el("thead", {}, head), body);
      const scroll = el("div", { className: "scroll", tabIndex: 0 }, table);
      scroll.setAttribute("role", "region");
      scroll.setAttribute("aria-label", "Requests of the chosen transcript");
      shown.replaceChildren(caption, scroll);
      sortable(table);
      filter();
    };

    if (data.transcripts.length) {
      const fill = (select, labels) => labels.forEach((text, n) => select.append(el("option", { value: n }, text)));
      const short = (text) => (text.length > 70 ? `…${text.slice(-69)}` : text);
      fill(form.view, data.transcripts.map((t) => short(t.id)));
      fill(form.a, data.policies.map(short));
      fill(form.b, data.policies.map(short));
      form.hidden = false;
      const show = () => draw(Number(form.view.value), Number(form.a.value), Number(form.b.value));
      const follow = () => {
        const wanted = `#${at}view=`;
        const found = /^(\d+)&a=(\d+)&b=(\d+)$/.exec(location.hash.slice(wanted.length));
        if (!found || !location.hash.startsWith(wanted)) return false;
        const [view, a, b] = found.slice(1).map(Number);
        if (!(view in data.transcripts && a in data.policies && b in data.policies)) return false;
        [form.view.value, form.a.value, form.b.value] = [view, a, b];
        show();
        document.getElementById(`${at}view`).scrollIntoView();
        return true;
      };
      form.addEventListener("change", () => {
        history.replaceState(null, "", `#${at}view=${form.view.value}&a=${form.a.value}&b=${form.b.value}`);
        show();
      });
      window.addEventListener("hashchange", follow);
      form.b.value = Math.max(0, data.policies.indexOf(document.querySelector(".answers .policy")?.title ?? ""));
      if (form.b.value === "0" && data.policies.length > 1) form.b.value = 1;
      if (!follow()) show();
    }
  };
  for (const [at, data] of Object.entries(JSON.parse(document.getElementById("data").textContent))) {
    if (data.transcripts) requestByRequest(at, data);
  }

  // A link to something folded unfolds it.
  const unfold = () => {
    const target = document.getElementById(location.hash.slice(1));
    const folded = target?.closest("details") ?? target?.querySelector(":scope > details:first-child");
    if (folded && !folded.open) {
      folded.open = true;
      folded.scrollIntoView();
    }
  };
  window.addEventListener("hashchange", unfold);
  unfold();

  // Everything is on paper, also what is folded on the screen.
  window.addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((d) => (d.open = true)));
})();
