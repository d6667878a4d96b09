/// Notes of a substep: what each rule adds to an agent's velocity, for throng/explain.h.
///
/// Stages that add several terms at once note them themselves; of the others the difference before
/// and after is the term. Notes lie by slot of the id, so that they outlast changes of rows.
#ifndef THG_NOTES_H
#define THG_NOTES_H

#include "crowd/crowd.h"
#include <throng/explain.h>

typedef struct thg_note {
    uint32_t turn; ///< of the substep; another than the notes' own: there is nothing
    uint32_t generation;
    uint32_t bin;
    float x, y, moved_x, moved_y; ///< metres: at the start, and before contacts
    float radius, yield, key, stir, rank;
    uint32_t who, minds;
    bool walks;
    throng_motives motives;
} thg_note;

struct thg_notes {
    uint32_t turn; ///< changes with every substep; 0: there was none
    int row_count;
    uint32_t *slots; ///< [capacity] of the rows as they were
    thg_note *notes; ///< [max_agents + 1] by slot
};

/// After each stage of a substep.
void thg_notes_after(thg_step *step, thg_stage stage);
/// What there is does not count any more: rows or bins are others.
void thg_notes_forget(throng_crowd *crowd);
void thg_notes_destroy(throng_crowd *crowd);

/// The note on an agent, NULL where there is none.
const thg_note *thg_note_of(const throng_crowd *crowd, throng_agent_id agent);
/// The terms of a row, to be written while the substep lasts; NULL where nobody takes notes.
static inline throng_vec2 *thg_terms_of(const throng_crowd *crowd, int row)
{
    return crowd->notes != NULL ? crowd->notes->notes[crowd->columns.slot[row]].motives.terms
                                : NULL;
}
static inline void thg_note_term(throng_vec2 *terms, throng_motive motive, float x, float y)
{
    if (terms != NULL) {
        terms[motive] = (throng_vec2){x, y};
    }
}
/// What a row wants in the end, whatever it is made of.
static inline void thg_note_want(const throng_crowd *crowd, int row, float x, float y)
{
    if (crowd->notes != NULL) {
        crowd->notes->notes[crowd->columns.slot[row]].motives.want = (throng_vec2){x, y};
    }
}

#endif
