/* A stand-in for the Needle C library, in the interfaces of three of its versions: it answers with what it was given. */
#include <stdio.h>
#include <stdint.h>
#include <string.h>

static char tools[65536];
static int turns = 0;
static uint64_t weights = 0;

int needle_init(const char *system, const char *tools_json, const char *index) {
    (void)system; (void)index;
    if (strstr(tools_json, "refuse")) return -2;
    snprintf(tools, sizeof tools, "%s", tools_json);
    turns = 0;
    return (int)strlen(tools_json);
}

void needle_reset(void) { turns = 0; }

static int answer(const char *input, int max_new, char *out, int cap) {
    if (!tools[0]) {
        snprintf(out, cap, "{\"type\":\"error\",\"error\":\"needle_init not called\"}");
        return -1;
    }
    if (strcmp(input, "silent") == 0) return -3;
    turns += 1;
    snprintf(out, cap,
             "{\"type\":\"call\",\"success\":true,\"function_calls\":[{\"name\":\"t\",\"arguments\":"
             "{\"input\":\"%s\",\"turn\":%d,\"budget\":%d,\"weights\":%llu}}],"
             "\"validation\":{\"ungrounded\":[],\"negation\":false}}",
             input, turns, max_new, (unsigned long long)weights);
    return max_new < 7 ? max_new : 7;
}

#ifndef TWO
int needle_load(const unsigned char *bytes, uint64_t size) {
    if (size && bytes[0] == 'x') return -4;
    weights = size;
    return 0;
}
const char *needle_last_error(void) { return "the stand-in says no"; }
#endif

#ifdef AUDIO
int needle_models(void) { return 1; }
int needle_complete(const char *input, const float *pcm, int n, int max_new, char *out, int cap) {
    if (pcm || n) return -5;
    return answer(input, max_new, out, cap);
}
#else
int needle_complete(const char *input, int max_new, char *out, int cap) { return answer(input, max_new, out, cap); }
#endif
