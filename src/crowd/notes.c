/// Notes of a substep, and the answer for one agent. Nothing here changes what a step does.
#include "crowd/notes.h"
#include "crowd/planet.h"

const char *throng_motive_name(throng_motive motive)
{
    static const char *const names[] = {
        "way",     "order",     "alignment", "cohesion", "spacing",  "swerve",    "cut",
        "lookout", "slot",      "gate",      "state",    "slowdown", "avoidance", "separation",
        "shove",   "wall push", "orca",      "limit",    "inertia",  "slide",     "contact"};
    _Static_assert(sizeof names / sizeof names[0] == THRONG_MOTIVE_COUNT, "a name for each");
    return (unsigned)motive < THRONG_MOTIVE_COUNT ? names[motive] : "unknown";
}

// ---- Memory -------------------------------------------------------------------------------------

void thg_notes_destroy(throng_crowd *crowd)
{
    struct thg_notes *notes = crowd->notes;
    if (notes != NULL) {
        thg_release(notes->slots, (size_t)crowd->capacity, sizeof *notes->slots);
        thg_release(notes->notes, (size_t)crowd->def.max_agents + 1, sizeof *notes->notes);
        thg_release(notes, 1, sizeof *notes);
        crowd->notes = NULL;
    }
}

throng_result throng_crowd_take_notes(throng_crowd *crowd, bool on)
{
    if (!on || crowd->notes != NULL) {
        if (!on) {
            thg_notes_destroy(crowd);
        }
        return THRONG_OK;
    }
    struct thg_notes *notes = thg_allocate(1, sizeof *notes);
    if (notes == NULL) {
        return THRONG_NO_MEMORY;
    }
    crowd->notes = notes;
    notes->slots = thg_allocate((size_t)crowd->capacity, sizeof *notes->slots);
    notes->notes = thg_allocate((size_t)crowd->def.max_agents + 1, sizeof *notes->notes);
    if (notes->slots == NULL || notes->notes == NULL) {
        thg_notes_destroy(crowd);
        return THRONG_NO_MEMORY;
    }
    return THRONG_OK;
}

void thg_notes_forget(throng_crowd *crowd)
{
    if (crowd->notes != NULL) {
        crowd->notes->turn++;
        crowd->notes->row_count = 0;
    }
}

// ---- A substep ----------------------------------------------------------------------------------

static throng_vec2 minus(throng_vec2 a, throng_vec2 b)
{
    return (throng_vec2){a.x - b.x, a.y - b.y};
}

static throng_vec2 plus(throng_vec2 a, throng_vec2 b)
{
    return (throng_vec2){a.x + b.x, a.y + b.y};
}

/// Where the row is when the substep begins, and where it would go.
static void begin_note(const throng_crowd *crowd, int row, float dt, thg_note *note)
{
    const thg_columns *columns = &crowd->columns;
    *note = (thg_note){.turn = crowd->notes->turn,
                       .generation = crowd->slots[columns->slot[row]].generation,
                       .bin = crowd->derived.bin[row],
                       .x = columns->x[row],
                       .y = columns->y[row],
                       .walks = thg_row_walks(crowd, row),
                       .motives = {.dt = dt, .before = {columns->vx[row], columns->vy[row]}}};
    note->motives.wish = (throng_vec2){crowd->derived.wish_x[row], crowd->derived.wish_y[row]};
    note->motives.terms[THRONG_MOTIVE_WAY] = note->motives.wish;
    crowd->notes->slots[row] = columns->slot[row];
}

/// What a stage has made of the wish.
static void note_wish(const throng_crowd *crowd, int row, throng_motives *motives, int motive)
{
    throng_vec2 wish = {crowd->derived.wish_x[row], crowd->derived.wish_y[row]};
    if (motive >= 0) {
        motives->terms[motive] = minus(wish, motives->wish);
    }
    motives->wish = wish;
}

/// What the kernels are about to know of the row.
static void note_senses(const throng_crowd *crowd, int row, thg_note *note)
{
    const thg_derived *derived = &crowd->derived;
    note->radius = derived->radius[row];
    note->yield = derived->yield[row];
    note->key = derived->key[row];
    note->stir = derived->stir[row];
    if (crowd->asks_who) {
        note->rank = derived->rank[row];
        note->who = derived->who[row];
        note->minds = derived->minds[row];
    }
}

/// m/s from where the note began to where the row is.
static throng_vec2 way_made(const throng_crowd *crowd, int row, const thg_note *note)
{
    float x = crowd->columns.x[row] - note->x, y = crowd->columns.y[row] - note->y;
    if (crowd->map->planet != NULL) {
        const throng_planet *planet = crowd->map->planet;
        thg_spot from = thg_planet_spot(planet, note->x, note->y);
        thg_spot to = thg_planet_spot(planet, crowd->columns.x[row], crowd->columns.y[row]);
        thg_planet_see(planet, &from, to.place, &x, &y);
    }
    return (throng_vec2){x / note->motives.dt, y / note->motives.dt};
}

/// True where a row went as it chose: positions are too coarse to tell by the difference.
static bool went_freely(const throng_crowd *crowd, int row, const thg_note *note)
{
    const throng_motives *motives = &note->motives;
    return crowd->map->planet == NULL &&
           crowd->columns.x[row] == note->x + motives->velocity.x * motives->dt &&
           crowd->columns.y[row] == note->y + motives->velocity.y * motives->dt;
}

/// The move has turned `want` into a velocity and that into a way.
static void note_move(const throng_crowd *crowd, int row, thg_note *note)
{
    const thg_columns *columns = &crowd->columns;
    throng_motives *motives = &note->motives;
    motives->velocity = (throng_vec2){columns->vx[row], columns->vy[row]};
    if (crowd->profiles[columns->profile[row]].def.kinematic) {
        motives->want = motives->wish;
        motives->velocity = motives->before; // as the host gave it
    }
    throng_vec2 sum = motives->wish;
    for (int i = THRONG_MOTIVE_STATE; i < THRONG_MOTIVE_LIMIT; i++) {
        sum = plus(sum, motives->terms[i]);
    }
    motives->terms[THRONG_MOTIVE_LIMIT] = minus(motives->want, sum);
    motives->terms[THRONG_MOTIVE_INERTIA] = minus(motives->velocity, motives->want);
    motives->went = went_freely(crowd, row, note) ? motives->velocity : way_made(crowd, row, note);
    motives->terms[THRONG_MOTIVE_SLIDE] = minus(motives->went, motives->velocity);
    note->moved_x = columns->x[row];
    note->moved_y = columns->y[row];
}

static void note_contact(const throng_crowd *crowd, int row, thg_note *note)
{
    throng_motives *motives = &note->motives;
    if (crowd->columns.x[row] != note->moved_x || crowd->columns.y[row] != note->moved_y) {
        throng_vec2 went = way_made(crowd, row, note);
        motives->terms[THRONG_MOTIVE_CONTACT] = minus(went, motives->went);
        motives->went = went;
    }
}

typedef struct pass {
    const thg_step *step;
    thg_stage stage;
} pass;

static void note_rows(void *context, int first, int end, int block)
{
    const pass *pass = context;
    throng_crowd *crowd = pass->step->crowd;
    (void)block;
    for (int row = first; row < end; row++) {
        thg_note *note = &crowd->notes->notes[crowd->columns.slot[row]];
        switch (pass->stage) {
        case THG_STAGE_steer:
            begin_note(crowd, row, pass->step->dt, note);
            break;
        case THG_STAGE_flock: // which has noted its terms
            note_wish(crowd, row, &note->motives, -1);
            break;
        case THG_STAGE_slots:
            note_wish(crowd, row, &note->motives, THRONG_MOTIVE_SLOT);
            break;
        case THG_STAGE_gates:
            note_wish(crowd, row, &note->motives, THRONG_MOTIVE_GATE);
            note_senses(crowd, row, note);
            break;
        case THG_STAGE_move:
            note_move(crowd, row, note);
            break;
        default: // contacts
            note_contact(crowd, row, note);
        }
    }
}

void thg_notes_after(thg_step *step, thg_stage stage)
{
    throng_crowd *crowd = step->crowd;
    if (stage == THG_STAGE_steer) {
        crowd->notes->turn++;
        crowd->notes->row_count = crowd->agent_count;
    }
    if (stage == THG_STAGE_steer || stage == THG_STAGE_flock || stage == THG_STAGE_slots ||
        stage == THG_STAGE_gates || stage == THG_STAGE_move || stage == THG_STAGE_contacts) {
        pass pass = {step, stage};
        thg_parallel_for(crowd->jobs, crowd->agent_count, THG_ROW_BLOCK, note_rows, &pass);
    }
}

// ---- The answer ---------------------------------------------------------------------------------

const thg_note *thg_note_of(const throng_crowd *crowd, throng_agent_id agent)
{
    if (crowd->notes == NULL || thg_agents_row(crowd, agent.slot, agent.generation) < 0) {
        return NULL;
    }
    const thg_note *note = &crowd->notes->notes[agent.slot];
    return note->turn == crowd->notes->turn && note->turn != 0 &&
                   note->generation == agent.generation
               ? note
               : NULL;
}

bool throng_crowd_explain(const throng_crowd *crowd, throng_agent_id agent, throng_motives *motives)
{
    const thg_note *note = thg_note_of(crowd, agent);
    if (note != NULL) {
        *motives = note->motives;
    }
    return note != NULL;
}
