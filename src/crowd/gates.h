/// Gates, shared by their three files: gates.c (which there are), gate_turns.c (whose turn it is)
/// and gate_rules.c (what each agent makes of it).
#ifndef THG_GATES_H
#define THG_GATES_H

#include "crowd/crowd.h"

/// What an agent is to the gate whose label its cell has.
enum { THG_ROLE_NONE, THG_ROLE_QUEUES, THG_ROLE_INSIDE, THG_ROLE_LEAVES };

/// A role as a word: gate << 16 | family << 12 | kind << 8 | mouth << 4 | exit. `mouth` is the one
/// it stands before (0 inside), `exit` the one it wants out by.
#define THG_ROLE_GATE(role) ((role) >> 16)
#define THG_ROLE_FAMILY(role) ((role) >> 12 & 15u)
#define THG_ROLE_KIND(role) ((role) >> 8 & 15u)
#define THG_ROLE_MOUTH(role) ((role) >> 4 & 15u)
#define THG_ROLE_EXIT(role) ((role)&15u)

/// Fills the roles of rows. Reads the wish of the steering.
void thg_gate_roles_fill(throng_crowd *crowd, int first, int end);
/// Changes wish and yield of rows whose gate is not free.
void thg_gate_rules_apply(throng_crowd *crowd, int first, int end);
/// Lets time pass at every gate, given the counts. True when one is not free.
bool thg_gate_turns_advance(throng_crowd *crowd, float dt);

#endif
