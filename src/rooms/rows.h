/// Rows from inside: how they are written, and how a slot is read from one.
#ifndef THG_ROWS_H
#define THG_ROWS_H

#include "core/words.h"
#include "rooms/rooms.h"

#define THG_MOST_ROW_WORDS 65535u
#define THG_ROW_STRIDE 65536u ///< words between the rows of two lanes in sweep->row

/// One lane's row while it is written.
typedef struct thg_row_writer {
    uint16_t *words;
    uint32_t used; ///< 0: too long for a row
} thg_row_writer;

/// The value of a slot that says: no way.
static inline uint32_t thg_slot_mask(const thg_rows *rows)
{
    return (1u << rows->slot_bits) - 1u;
}

/// True when no arc is too long for a lane; whole ways may still be, which a sweep finds out.
bool thg_lanes_suffice(const throng_rooms *rooms, int slot_bits);

/// Sweeps from up to sixteen doors: the low bits of sweep->keys become the slots, by rank and lane.
void thg_sweep_slots(const throng_rooms *rooms, thg_sweep *sweep, const uint32_t *doors,
                     uint32_t count, bool short_lengths);

/// What was swept becomes rows, in sweep->row.
void thg_write_rows(const throng_rooms *rooms, thg_sweep *sweep, const uint32_t *doors,
                    uint32_t count, thg_row_writer *writers);

/// The run of a chunk that holds a target: the last of words[low .. high) that is below `limit`.
/// Words may be read up to sixteen beyond.
static inline uint32_t thg_find_run(const uint16_t *words, uint32_t low, uint32_t high,
                                    uint32_t limit)
{
    while (high - low > THG_WORDS + 1) {
        uint32_t middle = low + (high - low) / 2;
        if (words[middle] < limit) {
            low = middle;
        } else {
            high = middle;
        }
    }
    uint32_t left = high - low - 1;
    uint32_t passed = thg_words_below(words + low + 1, (uint16_t)(limit - 1));
    return low + (passed < left ? passed : left);
}

/// First word that a target's chunk does not reach, as runs are written.
static inline uint32_t thg_run_limit(const thg_rows *rows, uint32_t target)
{
    return ((target & ((1u << rows->chunk_bits) - 1u)) + 1u) << rows->slot_bits;
}

/// Slot in a door's row; the row must be there.
static inline uint32_t thg_row_slot(const thg_rows *rows, uint32_t from, uint32_t to)
{
    const uint16_t *row = rows->words + rows->posts[from].row;
    uint32_t chunk = to >> rows->chunk_bits, mask = thg_slot_mask(rows);
    uint32_t slot =
        row[thg_find_run(row, row[chunk], row[chunk + 1], thg_run_limit(rows, to))] & mask;
    return slot == mask ? THG_NO_SLOT : slot;
}

#endif
