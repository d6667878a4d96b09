/// Pictures of routes, layer by layer; each function draws over what is there.
#ifndef DRAW_ROUTE_H
#define DRAW_ROUTE_H

#include <throng/throng.h>
#include <throng_io/picture.h>

/// A picture of a map, a thousand to two thousand pixels wide, and how metres lie in it.
throng_result draw_route_begin(const throng_map *map, throng_picture *picture, throng_view2 *view);
/// The cells from which the goal is in sight.
void draw_route_sight(throng_picture *picture, const throng_view2 *view, const throng_map *map,
                      throng_vec2 goal);
/// The corridor of the last path with its ring, and the windows between its sectors.
void draw_route_sectors(throng_picture *picture, const throng_view2 *view, throng_paths *paths);
/// A path with its turns.
void draw_route_line(throng_picture *picture, const throng_view2 *view, const throng_path *path);

#endif
