/// Pictures: what the solver knows, drawn from its own arrays.
///
/// A picture is rows of RGB bytes. Drawing never fails and never leaves the picture: what lies
/// outside is clipped, and a NaN is not drawn. The same input gives the same pixels on any machine.
/// One frame of 1024 x 1024 pixels with 10,000 agents takes about 6 ms once its background is
/// kept (throng_picture_copy).
#ifndef THRONG_IO_PICTURE_H
#define THRONG_IO_PICTURE_H

#include <throng/crowd.h>
#include <throng/planet.h>

#ifdef __cplusplus
extern "C" {
#endif

#define THRONG_MAX_PICTURE_SIDE 16384

/// `rgb`: height rows of width pixels of three bytes, top row first.
typedef struct throng_picture {
    int width, height;
    uint8_t *rgb;
} throng_picture;

typedef struct throng_colour {
    uint8_t r, g, b;
    uint8_t a; ///< 255 covers, 0 draws nothing
} throng_colour;

/// A dark picture. THRONG_BAD_ARGUMENT (sides not in [1, THRONG_MAX_PICTURE_SIDE]),
/// THRONG_NO_MEMORY.
THRONG_API throng_result throng_picture_create(int width, int height, throng_picture *picture);
THRONG_API void throng_picture_free(throng_picture *picture);

/// Copies all pixels; both pictures have one size. Keeps a drawn background for the next frame.
THRONG_API void throng_picture_copy(throng_picture *picture, const throng_picture *from);

/// Writes an 8-bit RGB PNG; a failed save leaves what was there before. THRONG_CANNOT_WRITE,
/// THRONG_NO_MEMORY.
THRONG_API throng_result throng_picture_save(const throng_picture *picture, const char *path,
                                             throng_error *error);

/// A rectangle of pixels.
typedef struct throng_pixel_rect {
    int x, y, width, height;
} throng_pixel_rect;

/// From metres to pixels: the world rectangle lies in the middle of `area`, in one scale; drawing
/// is clipped to `area`.
typedef struct throng_view2 {
    throng_pixel_rect area;
    throng_rect world;
    float scale;              ///< pixels per metre
    float offset_x, offset_y; ///< pixel = offset + scale * metre (y_up: offset_y - scale * y)
    bool y_up; ///< false: +y points down, as map rows do; true: up, as in ROS and buildings
} throng_view2;

THRONG_API throng_view2 throng_view2_fit(throng_rect world, throng_pixel_rect area, bool y_up);

/// The whole map in `area`.
THRONG_API throng_view2 throng_view2_of_map(const throng_map *map, throng_pixel_rect area,
                                            bool y_up);

/// Pixel coordinates of a position; pixel (0, 0) covers [0, 1) x [0, 1).
THRONG_API throng_vec2 throng_view2_pixel(const throng_view2 *view, throng_vec2 position);

// ---- Shapes and words --------------------------------------------------------------------------

THRONG_API void throng_picture_fill(throng_picture *picture, throng_pixel_rect rect,
                                    throng_colour colour);
/// A disc with smooth edges; centre and radius in pixels.
THRONG_API void throng_picture_disc(throng_picture *picture, float x, float y, float radius,
                                    throng_colour colour);
/// A line with smooth edges, `width` pixels wide.
THRONG_API void throng_picture_line(throng_picture *picture, throng_vec2 from, throng_vec2 to,
                                    float width, throng_colour colour);
/// ASCII text in a 5 x 7 font of our own, `size` pixels to a dot; (x, y) is the upper left corner.
/// Other bytes show as a box. Returns the width in pixels.
THRONG_API int throng_picture_text(throng_picture *picture, int x, int y, int size,
                                   const char *text, throng_colour colour);
THRONG_API int throng_picture_text_width(int size, const char *text);

/// A perceptually even ramp from dark violet over teal to yellow; `value` in [0, 1] is clamped.
THRONG_API throng_colour throng_colour_ramp(float value);
/// The ramp of densities and congestion: dark red over orange to pale yellow.
THRONG_API throng_colour throng_colour_heat(float value);
/// A set of colours that stay apart from each other, also for most colour-blind eyes. Any index.
THRONG_API throng_colour throng_colour_of_index(int index);

// ---- The world ---------------------------------------------------------------------------------

/// Terrain; with a class (not -1) its blocked cells as walls, and cells too narrow for it dimmed.
/// O(pixels).
THRONG_API void throng_picture_draw_map(throng_picture *picture, const throng_view2 *view,
                                        const throng_map *map, int class_index);

typedef struct throng_field_style {
    uint32_t cookie;   ///< set by throng_default_field_style()
    float band;        ///< metres of cost from line to line; 0: about twenty lines in all
    float opacity;     ///< of the colours over the map. [0, 1]
    bool lines;        ///< a thin line at each band
    int arrow_spacing; ///< pixels between flow arrows; 0: none
} throng_field_style;

/// About twenty bands, opacity 0.55, lines, no arrows.
THRONG_API throng_field_style throng_default_field_style(void);

/// Costs to the goal as coloured bands, dark far away and light near the goal, and the flow as
/// arrows. `map` is the field's. Returns the cost in metres at the ramp's far end (0: nothing is
/// reached). O(pixels + cells).
THRONG_API float throng_picture_draw_field(throng_picture *picture, const throng_view2 *view,
                                           const throng_map *map, throng_field_view field,
                                           const throng_field_style *style);

/// Density in people per square metre: each agent is a disc of about a metre's fall-off. Shown from
/// a tenth of `full` on, as heat; `full` is the hottest colour. [0.1, 100] Needs memory for a
/// grid of the view's pixels / 4 (THRONG_NO_MEMORY draws nothing).
THRONG_API throng_result throng_picture_draw_density(throng_picture *picture,
                                                     const throng_view2 *view,
                                                     throng_agents_view agents, float full);

typedef enum throng_agent_colours {
    THRONG_COLOUR_PROFILE = 0,
    THRONG_COLOUR_STATUS,
    THRONG_COLOUR_SPEED, ///< the ramp, 0 to 2 m/s
    THRONG_COLOUR_GOAL
} throng_agent_colours;

/// The colour of a kind of terrain, as the map and the legend show it.
THRONG_API throng_colour throng_colour_of_terrain(int kind);

/// The colour of a status, as agents and the legend show it.
THRONG_API throng_colour throng_colour_of_status(throng_status status);

/// Agents as discs of their radius, at least about a pixel, with a dark rim where there is room.
THRONG_API void throng_picture_draw_agents(throng_picture *picture, const throng_view2 *view,
                                           throng_agents_view agents, throng_agent_colours colours);

/// Exits and other goals: rectangles outlined, cells tinted, points ringed. Cells are of `map`.
THRONG_API void throng_picture_draw_goal(throng_picture *picture, const throng_view2 *view,
                                         const throng_map *map, const throng_goal_shape *shape,
                                         throng_colour colour);

/// A bar of a round number of metres with its label, in the lower left corner of the view.
THRONG_API void throng_picture_draw_scale_bar(throng_picture *picture, const throng_view2 *view);

// ---- Planets -----------------------------------------------------------------------------------

/// Half a planet as it looks from far away, with north up.
typedef struct throng_globe {
    throng_pixel_rect area;
    const throng_planet *planet;
    throng_vec3 toward, right, up; ///< unit; `toward` the eye
    float radius, x, y;            ///< pixels; of its middle
} throng_globe;

/// The half round a place in the middle of `area`.
THRONG_API throng_globe throng_globe_fit(const throng_planet *planet, throng_vec3 toward,
                                         throng_pixel_rect area);
/// Pixel of a place; false for one on the other half.
THRONG_API bool throng_globe_pixel(const throng_globe *globe, throng_vec3 place,
                                   throng_vec2 *pixel);
/// Terrain, lit from the eye, with lines every thirty degrees. `map` is the planet's.
THRONG_API void throng_picture_draw_globe(throng_picture *picture, const throng_globe *globe,
                                          const throng_map *map, int class_index);
/// Agents, a way, and the points of a goal, as far as they are on this half. Positions are those of
/// the planet's map.
THRONG_API void throng_picture_draw_globe_agents(throng_picture *picture, const throng_globe *globe,
                                                 throng_agents_view agents,
                                                 throng_agent_colours colours);
THRONG_API void throng_picture_draw_globe_route(throng_picture *picture, const throng_globe *globe,
                                                const throng_vec2 *points, int count,
                                                throng_colour colour);
THRONG_API void throng_picture_draw_globe_goal(throng_picture *picture, const throng_globe *globe,
                                               const throng_goal_shape *shape,
                                               throng_colour colour);

// ---- A whole picture ---------------------------------------------------------------------------

typedef struct throng_legend_entry {
    throng_colour colour;
    const char *text;
    bool area; ///< a square, for what covers ground; else a dot
} throng_legend_entry;

/// A way over the map, as a line.
typedef struct throng_picture_route {
    throng_colour colour;
    const throng_vec2 *points; ///< metres
    int point_count;
} throng_picture_route;

/// Everything a viewer wants to see of a crowd. Pointers may be NULL and counts 0 where so marked.
typedef struct throng_scene_picture {
    uint32_t cookie; ///< set by throng_default_scene_picture()
    const throng_map *map;
    const throng_crowd *crowd; ///< NULL: no agents, time or count
    const throng_field *field; ///< NULL: no bands
    int class_index;           ///< whose walls; -1: terrain only
    const throng_goal_shape *goals;
    int goal_count;
    const throng_picture_route *routes;
    int route_count;
    const char *title;    ///< NULL: none
    const char *subtitle; ///< NULL: none
    throng_agent_colours colours;
    const throng_legend_entry *legend; ///< added to what the colours need by themselves
    int legend_count;
    float density_full; ///< people per m2 at the hottest colour; 0: no density
    bool y_up;
    throng_vec3 toward; ///< of a planet: the middle of the left of two globes; neither has density
} throng_scene_picture;

/// Class 0, colours by status, density up to 4 per m2.
THRONG_API throng_scene_picture throng_default_scene_picture(void);

/// The part that stays: map, field, goals, title, legend, scale bar. A panel with the words lies on
/// the side where the map leaves more room. O(pixels).
THRONG_API void throng_picture_draw_background(throng_picture *picture,
                                               const throng_scene_picture *scene);

/// The part that moves: density, agents, time and counts by status. Draw it over a background made
/// for the same `scene` and picture size. THRONG_NO_MEMORY: without the density.
THRONG_API throng_result throng_picture_draw_crowd(throng_picture *picture,
                                                   const throng_scene_picture *scene);

#ifdef __cplusplus
}
#endif

#endif
