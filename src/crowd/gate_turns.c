/// Whose turn it is at a gate.
///
/// A gate that both sides want through is given lanes where two directions fit beside each other
/// and few come, else a token: one mouth's side enters, the others make room. The token goes on
/// when its owner's side is through, or its time is up and others wait; in between nobody enters
/// until those inside have left, or for so long that something must be wrong. Only counts and
/// seconds decide.
#include "crowd/gates.h"

static int queue_at(const thg_gate_counts *counts, int mouth)
{
    int sum = 0;
    for (int i = 0; i < THG_MAX_MOUTHS; i++) {
        sum += counts->queue[mouth][i];
    }
    return sum;
}

/// How many are inside who did not come for the mouth, or did.
static int inside_for(const thg_gate_counts *counts, int mouth, bool others)
{
    int sum = 0;
    for (int i = 0; i < THG_MAX_MOUTHS; i++) {
        sum += (i == mouth) != others ? counts->inside[i] : 0;
    }
    return sum;
}

/// The fewer of two numbers of agents that want opposite ways; 0 when nobody is in another's way.
static int contention(const thg_passage *passage, const thg_gate_counts *counts)
{
    if (passage->mouth_count == 2) {
        int there = counts->queue[0][1] + counts->inside[1];
        int back = counts->queue[1][0] + counts->inside[0];
        return thg_min_int(there, back);
    }
    // Of several mouths: two sides that want in, but not both to the same third mouth.
    int most = 0;
    for (int i = 0; i < passage->mouth_count; i++) {
        for (int k = 0; k < i; k++) {
            int in = queue_at(counts, i), other = queue_at(counts, k);
            for (int exit = 0; exit < passage->mouth_count; exit++) {
                if (counts->queue[i][exit] == in && counts->queue[k][exit] == other) {
                    in = 0;
                }
            }
            most = thg_max_int(most, thg_min_int(in, other));
        }
        int leaving = counts->inside[i];
        for (int k = 0; k < passage->mouth_count; k++) {
            leaving += counts->queue[k][i];
        }
        most = thg_max_int(most, thg_min_int(queue_at(counts, i), leaving));
    }
    return most;
}

/// True where two lanes of the largest of those present fit, and so few come that they stay loose:
/// two full crowds jam in any lanes (measured: 150 a side through 3 m stand for ever; with a token
/// they are through in 75 s).
static bool lanes_will_do(const thg_passage *passage, const thg_gate_counts *counts)
{
    float diameter = 2e-4f * (float)counts->radius;
    float lanes = passage->length >= THG_GATE_LONG ? THG_GATE_LANES_LONG : THG_GATE_LANES_SHORT;
    int present = inside_for(counts, THG_MAX_MOUTHS, true);
    for (int i = 0; i < passage->mouth_count; i++) {
        present += queue_at(counts, i);
    }
    return passage->straight && passage->width >= lanes * diameter * 0.999f &&
           (float)present * diameter <= THG_GATE_LANES_FULL * passage->width;
}

static void give_token(thg_gate_state *state, const thg_passage *passage,
                       const thg_gate_counts *counts, uint8_t mouth)
{
    float time = THG_GATE_PHASE + THG_GATE_PHASE_EACH * (float)queue_at(counts, mouth);
    float most = THG_GATE_PHASE_WIDE / passage->width;
    most = most < THG_GATE_PHASE_MOST ? most : THG_GATE_PHASE_MOST;
    time = time < most ? time : most;
    state->owner = state->next = mouth;
    state->clears = 0;
    state->age = 0.0f;
    state->limit = time + passage->length;
}

/// The mouth of those where somebody waits from which the fewest got through, the next one round
/// among equals; the owner's own when nobody waits elsewhere.
static uint8_t next_waiting(const thg_gate_state *state, const thg_passage *passage,
                            const thg_gate_counts *counts)
{
    int best = state->owner;
    for (int i = 1; i < passage->mouth_count; i++) {
        int mouth = (state->owner + i) % passage->mouth_count;
        if (queue_at(counts, mouth) > 0 &&
            (best == state->owner || state->served[mouth] < state->served[best])) {
            best = mouth;
        }
    }
    return (uint8_t)best;
}

/// Books those who got through. Kept: by how many each mouth is ahead of the last, up to a limit.
static void count_served(thg_gate_state *state, const thg_passage *passage,
                         const thg_gate_counts *counts)
{
    int served[THG_MAX_MOUTHS], most = 0, least = INT32_MAX;
    for (int i = 0; i < passage->mouth_count; i++) {
        served[i] = state->served[i] + counts->passed[i];
        most = thg_max_int(most, served[i]);
    }
    for (int i = 0; i < passage->mouth_count; i++) {
        served[i] = thg_max_int(served[i], most - THG_GATE_LEAD_MOST);
        least = thg_min_int(least, served[i]);
    }
    for (int i = 0; i < passage->mouth_count; i++) {
        state->served[i] = (uint8_t)(served[i] - least);
    }
}

/// The side that has got farthest in goes on; those of the others who are inside turn back.
static void begin_turns(thg_gate_state *state, const thg_passage *passage,
                        const thg_gate_counts *counts)
{
    int best = 0, best_score = -1;
    for (int i = 0; i < passage->mouth_count; i++) {
        int score = 16 * inside_for(counts, i, true) + queue_at(counts, i);
        if (score > best_score) {
            best = i;
            best_score = score;
        }
    }
    state->mode = THRONG_GATE_TOKEN;
    give_token(state, passage, counts, (uint8_t)best);
}

static void begin(thg_gate_state *state, const thg_passage *passage, const thg_gate_counts *counts)
{
    float diameter = 2e-4f * (float)counts->radius;
    int least = passage->width >= 2.0f * diameter + THG_GATE_ELBOWS ? THG_GATE_FEW : 1;
    if (contention(passage, counts) < least) {
        return;
    }
    state->calm = 0.0f;
    if (lanes_will_do(passage, counts)) {
        state->mode = THRONG_GATE_LANES;
    } else {
        begin_turns(state, passage, counts);
    }
}

static void pass_token_on(thg_gate_state *state, const thg_passage *passage,
                          const thg_gate_counts *counts)
{
    if (state->clears) {
        if (inside_for(counts, THG_MAX_MOUTHS, true) == 0 ||
            state->age > THG_GATE_CLEAR_MOST + passage->length) {
            give_token(state, passage, counts, state->next);
        }
        return;
    }
    uint8_t next = next_waiting(state, passage, counts);
    bool through = queue_at(counts, state->owner) == 0;
    // Those who are inside will be through, too.
    int lead = state->served[state->owner] + inside_for(counts, THG_MAX_MOUTHS, true) -
               state->served[next];
    bool ahead = lead >= THG_GATE_LEAD && state->age > THG_GATE_PHASE_LEAST;
    if (next != state->owner && (through || ahead || state->age > state->limit)) {
        state->next = next;
        state->clears = 1;
        state->age = 0.0f;
    }
}

static void advance(thg_gate_state *state, const thg_passage *passage,
                    const thg_gate_counts *counts, float dt)
{
    if (state->mode == THRONG_GATE_FREE) {
        begin(state, passage, counts);
        return;
    }
    state->age += dt;
    count_served(state, passage, counts);
    state->calm = contention(passage, counts) > 0 ? 0.0f : state->calm + dt;
    if (state->calm > THG_GATE_CALM) {
        uint32_t key = state->key;
        *state = (thg_gate_state){.key = key};
    } else if (state->mode == THRONG_GATE_TOKEN) {
        pass_token_on(state, passage, counts);
    } else if (!lanes_will_do(passage, counts)) {
        begin_turns(state, passage, counts);
    }
}

bool thg_gate_turns_advance(throng_crowd *crowd, float dt)
{
    bool busy = false;
    for (int i = 0; i < crowd->gates.family_count; i++) {
        thg_gate_family *family = &crowd->gates.families[i];
        for (int k = 0; k < family->passages.count; k++) {
            thg_gate_state *state = &family->states[k];
            state->key = family->passages.passages[k].mouths[0].cell;
            advance(state, &family->passages.passages[k], &family->counts[k], dt);
            busy = busy || state->mode != THRONG_GATE_FREE;
        }
    }
    return busy;
}
