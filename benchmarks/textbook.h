/// The usual way to integrate a cost field: what our solvers are measured against.
#ifndef THG_TEXTBOOK_H
#define THG_TEXTBOOK_H

#include <stdbool.h>
#include <stdint.h>

/// Dijkstra from one cell over 8 neighbours without cutting corners, on a binary heap with lazy
/// deletion, as a textbook has it. `price` is per cell, 0 blocked, 64 the unit; `cost` gets width *
/// height results in octile units, UINT32_MAX unreached. False without memory.
bool textbook_dijkstra(const uint16_t *price, int width, int height, int start, uint32_t *cost);

#endif
