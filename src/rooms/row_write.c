/// Writing rows: what a sweep found, for sixteen doors at once, in runs.
///
/// Targets lie in chunks, each with runs of its own, so that a row is searched within one chunk.
#include "rooms/hierarchy.h"
#include "rooms/rows.h"
#include "rooms/sweep.h"
#include <string.h>

#define AHEAD 12u ///< targets whose keys are fetched before they are read

static void start_run(const thg_rows *rows, thg_row_writer *writer, uint32_t offset, uint32_t slot)
{
    if (writer->used >= THG_MOST_ROW_WORDS) {
        writer->used = 0;
    }
    if (writer->used > 0) {
        writer->words[writer->used++] = (uint16_t)(offset << rows->slot_bits | slot);
    }
}

/// Appends what one chunk of targets adds to every lane's row. Most targets lie in the runs of the
/// one before in all lanes, which one comparison over the lanes shows.
static void compress_chunk(const throng_rooms *rooms, const uint32_t *keys, uint32_t first,
                           uint32_t end, thg_row_writer *writers, uint32_t count)
{
    const uint32_t *rank_of_door = rooms->hierarchy.rank_of_door;
    uint32_t mask = thg_slot_mask(&rooms->rows), current[THG_LANES];
    memset(current, 0xff, sizeof current);
    for (uint32_t to = first; to < end; to++) {
        const uint32_t *own = keys + (size_t)rank_of_door[to] * THG_LANES;
        thg_prefetch(keys + (size_t)rank_of_door[to + AHEAD < end ? to + AHEAD : to] * THG_LANES);
        uint32_t slots[THG_LANES], change = 0;
        for (int lane = 0; lane < THG_LANES; lane++) {
            slots[lane] = own[lane] & mask;
            change |= slots[lane] ^ current[lane];
        }
        for (uint32_t lane = 0; change != 0 && lane < count; lane++) {
            if (slots[lane] != current[lane]) {
                start_run(&rooms->rows, &writers[lane], to - first, slots[lane]);
            }
        }
        memcpy(current, slots, sizeof current);
    }
}

/// The rows of all lanes into sweep->row.
void thg_write_rows(const throng_rooms *rooms, thg_sweep *sweep, const uint32_t *doors,
                    uint32_t count, thg_row_writer *writers)
{
    const thg_rows *rows = &rooms->rows;
    const uint32_t *rank_of_door = rooms->hierarchy.rank_of_door;
    for (uint32_t lane = 0; lane < count; lane++) {
        writers[lane].words = sweep->row + (size_t)lane * THG_ROW_STRIDE;
        writers[lane].used = rows->chunk_count + 1;
        // Nobody asks a door for the way to itself: it goes with the target before.
        uint32_t other = doors[lane] > 0 ? doors[lane] - 1 : rooms->door_count - 1;
        sweep->keys[(size_t)rank_of_door[doors[lane]] * THG_LANES + lane] =
            sweep->keys[(size_t)rank_of_door[other] * THG_LANES + lane];
    }
    for (uint32_t chunk = 0; chunk <= rows->chunk_count; chunk++) {
        for (uint32_t lane = 0; lane < count; lane++) {
            writers[lane].words[chunk] = (uint16_t)writers[lane].used;
        }
        if (chunk < rows->chunk_count) {
            uint32_t first = chunk << rows->chunk_bits, end = first + (1u << rows->chunk_bits);
            end = end < rooms->door_count ? end : rooms->door_count;
            compress_chunk(rooms, sweep->keys, first, end, writers, count);
        }
    }
}
