/// Map files: reading and writing the maps that people have, and MovingAI's scenarios.
///
/// Formats are told apart by content first (PNG and PGM have magic numbers), then by the file
/// name's ending. Whatever a file says is checked before it is believed: a broken file of any kind
/// gives a result and one sentence with the file and the line or byte, and leaves nothing
/// half-made.
#ifndef THRONG_IO_MAP_FILE_H
#define THRONG_IO_MAP_FILE_H

#include <throng/map.h>

#ifdef __cplusplus
extern "C" {
#endif

#define THRONG_MAX_FILE_SIZE ((size_t)256 << 20) ///< bytes; a longer file is refused unread

/// Loads a map file. `def` gives cell size and origin unless the file does (yaml); its width,
/// height and terrain are ignored. On failure *map is NULL.
///
/// | file | how it becomes terrain |
/// |---|---|
/// | MovingAI `.map`, plain rows | as throng_map_from_text |
/// | `.png` of any kind, `.pgm` (P2, P5) | row 0 is the top row. Grey below half: wall, else ground
/// | | ROS map_server `.yaml` | see below |
///
/// In PNG the colours that throng_map_save writes come back as their terrain; any other pixel
/// counts by its luminance (0.299 R + 0.587 G + 0.114 B), and a pixel that is more than half
/// transparent is wall, for nothing is known there.
///
/// ROS yaml: the keys image, resolution, origin, negate, occupied_thresh, free_thresh and mode of
/// map_server; image may be PGM or PNG, relative to the yaml. occupancy = (255 - grey) / 255, or
/// grey / 255 with negate; above occupied_thresh is wall, below free_thresh ground, between them
/// unknown, which is wall too, as is a pixel more than half transparent. In mode `scale` what lies
/// between becomes own terrains `occupancy_10` ... `occupancy_90` (nearest ten percent of the
/// way between the thresholds), in mode `raw` grey 0 is ground, 1..99 those terrains, 100 and
/// above wall; a class prices them like any terrain. ROS puts the origin at the lower left corner
/// and lets y grow upward, so rows are turned round: row 0 of the map is the bottom row of the
/// image, and positions in the map are exactly the positions in ROS's map frame. Pictures of such a
/// map want throng_view2's y_up. A rotated origin (yaw) is refused.
///
/// THRONG_CANNOT_READ, THRONG_BAD_DATA, THRONG_BAD_ARGUMENT (`def`), THRONG_NO_MEMORY; each fills
/// *error (may be NULL). O(cells), memory for the file and two bytes a cell on top of the map.
THRONG_API throng_result throng_map_load(const char *path, const throng_map_def *def,
                                         throng_map **map, throng_error *error);

/// Writes a map in the format of the name's ending; a failed save leaves what was there before.
///
/// | ending | what is kept |
/// |---|---|
/// | `.map` | a MovingAI file: wall `@`, ground `.`, trees `T`, swamp `S`, water `W`; own terrains
/// as ground | | `.png` | one colour for each of the five kinds; own terrains as ground | | `.pgm`
/// | wall, trees and water black (0), all else white (254); row 0 is the top row | | `.yaml` | the
/// same PGM beside it, rows turned round as ROS wants them, cell size and origin |
///
/// THRONG_BAD_ARGUMENT for another ending, THRONG_CANNOT_WRITE, THRONG_NO_MEMORY.
THRONG_API throng_result throng_map_save(const throng_map *map, const char *path,
                                         throng_error *error);

/// Loads zones for throng_rooms_def from a picture (PNG, PGM) of a map's size: black and pixels
/// more than half transparent are no room, each other colour is one, numbered from 1 in the order
/// in which they first come, row by row. Eight bits a channel count. `zones` has width * height
/// numbers. O(cells). THRONG_CANNOT_READ, THRONG_BAD_DATA for a picture of another size,
/// THRONG_LIMIT for more than 65,535 colours, THRONG_NO_MEMORY; each fills *error (may be NULL),
/// and zones are then undefined.
THRONG_API throng_result throng_zones_load(const char *path, int width, int height, uint16_t *zones,
                                           int *room_count, throng_error *error);

/// One problem of a scenario: cells, not metres.
typedef struct throng_scenario_row {
    int start_x, start_y, goal_x, goal_y;
    double length;          ///< of the best path, in cells. [0, 1e9]
    int bucket;             ///< MovingAI's group of similar lengths; 0 in an exact csv
    int straight, diagonal; ///< steps of the best path; -1 where the file does not say
    int line;               ///< of the file, 1-based
} throng_scenario_row;

typedef struct throng_scenario {
    throng_scenario_row *rows;
    int row_count;
    int map_width, map_height; ///< as the file says; 0 where it does not
    int length_decimals;       ///< most digits after a point that the file prints. [0, 17]
} throng_scenario;

/// Loads a MovingAI `.scen` (versions 1 and 1.0), or a csv with the header
/// `sx,sy,gx,gy,straight,diagonal,length`. Rows whose map size differs from the first row's, or
/// whose cells lie outside it, are refused. On failure *scenario is empty.
/// THRONG_CANNOT_READ, THRONG_BAD_DATA, THRONG_NO_MEMORY.
THRONG_API throng_result throng_scenario_load(const char *path, throng_scenario *scenario,
                                              throng_error *error);
THRONG_API void throng_scenario_free(throng_scenario *scenario);

#ifdef __cplusplus
}
#endif

#endif
