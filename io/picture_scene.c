/// A whole picture: the map with everything on it, and a panel of words beside or around it.
///
/// Wide pictures get a panel on the right, others a strip above and one below. What changes from
/// frame to frame has its own places there, so that a background can be drawn once and kept.
#include "picture_draw.h"
#include <stdio.h>
#include <string.h>

#define SCENE_PICTURE_COOKIE 0x73637031u

/// Where things go. `size`: pixels to a dot of normal text.
typedef struct layout {
    bool panel; ///< on the right; else strips
    int size;
    throng_pixel_rect map, words;
    throng_pixel_rect strip; ///< below, without a panel
    throng_view2 view;
} layout;

throng_scene_picture throng_default_scene_picture(void)
{
    throng_scene_picture scene;
    memset(&scene, 0, sizeof scene);
    scene.cookie = SCENE_PICTURE_COOKIE;
    scene.colours = THRONG_COLOUR_STATUS;
    scene.density_full = 4.0f;
    return scene;
}

static layout lay_out(const throng_picture *picture, const throng_scene_picture *scene)
{
    layout place;
    memset(&place, 0, sizeof place);
    int width = picture->width;
    int height = picture->height;
    int shorter = width < height ? width : height;
    place.size = shorter >= 1600 ? 3 : shorter >= 600 ? 2 : 1;
    float aspect = (float)throng_map_width(scene->map) / (float)throng_map_height(scene->map);
    aspect = throng_map_planet(scene->map) != NULL ? 2.0f : aspect; // two globes
    int wide = 150 * place.size;
    place.panel = (float)(width - wide) / (float)height > aspect * 0.8f && width > 3 * wide;
    if (!place.panel && width < 480 * place.size) {
        place.size = place.size > 1 ? place.size - 1 : 1; // the strip below must hold its words
    }
    int margin = 6 * place.size;
    if (place.panel) {
        place.words = (throng_pixel_rect){width - wide, 0, wide, height};
        place.map = (throng_pixel_rect){margin, margin, width - wide - margin, height - 2 * margin};
    } else {
        int top = 34 * place.size;
        // Ramps and counts, and a line for a legend where there is one.
        int bottom = (scene->goal_count > 0 || scene->legend_count > 0 ? 48 : 34) * place.size;
        place.words = (throng_pixel_rect){0, 0, width, top};
        place.strip = (throng_pixel_rect){0, height - bottom, width, bottom};
        place.map = (throng_pixel_rect){margin, top, width - 2 * margin, height - top - bottom};
    }
    place.view = throng_view2_of_map(scene->map, place.map, scene->y_up);
    return place;
}

/// A ramp from `low` to `high` with a label; returns its height.
static int draw_ramp(throng_picture *picture, int x, int y, int width, int size, const char *label,
                     const char *low, const char *high, throng_colour (*ramp)(float), bool turned)
{
    throng_picture_text(picture, x, y, size, label, thg_faint_ink);
    int bar = y + 10 * size;
    for (int i = 0; i < width; i++) {
        float share = ((float)i + 0.5f) / (float)width;
        throng_pixel_rect column = {x + i, bar, 1, 5 * size};
        throng_picture_fill(picture, column, ramp(turned ? 1.0f - share : share));
    }
    int below = bar + 7 * size;
    throng_picture_text(picture, x, below, size, low, thg_ink);
    throng_picture_text(picture, x + width - throng_picture_text_width(size, high), below, size,
                        high, thg_ink);
    return 26 * size;
}

static void draw_ramps(throng_picture *picture, const layout *place,
                       const throng_scene_picture *scene, float highest, int *x, int *y)
{
    int size = place->size;
    int width = place->panel ? place->words.width - 20 * size : 80 * size;
    char high[40];
    if (highest > 0) {
        snprintf(high, sizeof high, "%.0f m", (double)highest);
        int tall = draw_ramp(picture, *x, *y, width, size, "cost to goal", "0", high,
                             throng_colour_ramp, true);
        *y += place->panel ? tall + 6 * size : 0;
        *x += place->panel ? 0 : width + 14 * size;
    }
    if (scene->density_full > 0 && scene->crowd != NULL && throng_map_planet(scene->map) == NULL) {
        snprintf(high, sizeof high, "%.3g/m2", (double)scene->density_full);
        int tall = draw_ramp(picture, *x, *y, width, size, "density", "0", high, throng_colour_heat,
                             false);
        *y += place->panel ? tall + 6 * size : 0;
        *x += place->panel ? 0 : width + 14 * size;
    }
    if (scene->colours == THRONG_COLOUR_SPEED && scene->crowd != NULL) {
        int tall = draw_ramp(picture, *x, *y, width, size, "speed", "0", "2 m/s",
                             throng_colour_ramp, false);
        *y += place->panel ? tall + 6 * size : 0;
        *x += place->panel ? 0 : width + 14 * size;
    }
}

/// A dot, or a square, and its words; moves on by one place.
static void draw_mark(throng_picture *picture, const layout *place,
                      const throng_legend_entry *entry, int *x, int *y)
{
    int size = place->size;
    const char *text = entry->text;
    if (entry->area) {
        throng_picture_fill(picture, (throng_pixel_rect){*x, *y, 7 * size, 7 * size},
                            thg_mix(entry->colour, thg_ink, 0.5f));
        throng_picture_fill(picture,
                            (throng_pixel_rect){*x + 1, *y + 1, 7 * size - 2, 7 * size - 2},
                            entry->colour);
    } else {
        throng_picture_disc(picture, (float)(*x + 3 * size), (float)*y + 3.5f * (float)size,
                            3.0f * (float)size, entry->colour);
    }
    int wide = throng_picture_text(picture, *x + 10 * size, *y, size, text, thg_ink);
    *y += place->panel ? 12 * size : 0;
    *x += place->panel ? 0 : wide + 20 * size;
}

static void draw_entry(throng_picture *picture, const layout *place, throng_colour colour,
                       const char *text, int *x, int *y)
{
    throng_legend_entry entry = {.colour = colour, .text = text};
    draw_mark(picture, place, &entry, x, y);
}

/// Text in lines of at most `width` pixels, broken at blanks; three dots say that more was left
/// out.
static void draw_wrapped(throng_picture *picture, int x, int y, int size, const char *text,
                         int width, int lines, throng_colour colour)
{
    int room = width / (6 * size);
    char line[200];
    room = room < 4 ? 4 : room > (int)sizeof line - 1 ? (int)sizeof line - 1 : room;
    for (int i = 0; i < lines && *text != '\0'; i++, y += 9 * size) {
        int length = (int)strnlen(text, (size_t)room + 1);
        bool more = length > room;
        int cut = more ? room : length;
        for (int k = cut; more && i + 1 < lines && k > 0; k--) {
            if (text[k] == ' ') {
                cut = k;
                break;
            }
        }
        memcpy(line, text, (size_t)cut);
        line[cut] = '\0';
        if (more && i + 1 == lines) {
            memcpy(line + cut - 3, "...", 3);
        }
        throng_picture_text(picture, x, y, size, line, colour);
        text += cut;
        text += *text == ' ';
    }
}

static void draw_titles(throng_picture *picture, const layout *place,
                        const throng_scene_picture *scene)
{
    int size = place->size;
    int x = place->words.x + 8 * size;
    int width = place->panel ? place->words.width - 12 * size : place->words.width * 3 / 5;
    int big = place->panel && scene->title != NULL &&
                      throng_picture_text_width(size + 1, scene->title) > width
                  ? size
                  : size + 1;
    if (scene->title != NULL) {
        draw_wrapped(picture, x, 7 * size, big, scene->title, width, 1, thg_ink);
    }
    if (scene->subtitle != NULL) {
        int y = (place->panel ? 8 : 10) * size + 8 * big; // two lines end above the clock
        draw_wrapped(picture, x, y, size, scene->subtitle, width, place->panel ? 2 : 1,
                     thg_faint_ink);
    }
}

/// Where the legend that stays starts: under the counts in a panel, else in the strip.
static void legend_start(const layout *place, int *x, int *y)
{
    *x = place->panel ? place->words.x + 8 * place->size : 8 * place->size;
    *y = place->panel ? 140 * place->size : place->strip.y + 5 * place->size;
}

static void draw_routes(throng_picture *picture, const layout *place,
                        const throng_scene_picture *scene)
{
    throng_pixel_rect clip = thg_view_clip(picture, &place->view);
    for (int i = 0; i < scene->route_count; i++) {
        const throng_picture_route *route = &scene->routes[i];
        throng_colour colour = route->colour;
        colour.a = 150;
        for (int k = 1; k < route->point_count; k++) {
            thg_line(picture, clip, throng_view2_pixel(&place->view, route->points[k - 1]),
                     throng_view2_pixel(&place->view, route->points[k]), 1.5f, colour);
        }
    }
}

/// The two globes of a planet, left and right.
static throng_globe globe_of(const layout *place, const throng_scene_picture *scene, int half)
{
    throng_pixel_rect area = place->map;
    area.width /= 2;
    area.x += half * area.width;
    throng_vec3 toward = scene->toward;
    if (half == 1) {
        toward = (throng_vec3){-toward.x, -toward.y, -toward.z};
        if (toward.x == 0.0f && toward.y == 0.0f && toward.z == 0.0f) {
            toward.x = -1.0f;
        }
    }
    return throng_globe_fit(throng_map_planet(scene->map), toward, area);
}

static void draw_globes(throng_picture *picture, const layout *place,
                        const throng_scene_picture *scene, throng_colour goal)
{
    for (int half = 0; half < 2; half++) {
        throng_globe globe = globe_of(place, scene, half);
        throng_picture_draw_globe(picture, &globe, scene->map, scene->class_index);
        for (int i = 0; i < scene->route_count; i++) {
            const throng_picture_route *route = &scene->routes[i];
            throng_picture_draw_globe_route(picture, &globe, route->points, route->point_count,
                                            route->colour);
        }
        for (int i = 0; i < scene->goal_count; i++) {
            throng_picture_draw_globe_goal(picture, &globe, &scene->goals[i], goal);
        }
    }
}

/// The map, what is known of it, goals and ways. Returns the highest cost that is shown.
static float draw_plane(throng_picture *picture, const layout *place,
                        const throng_scene_picture *scene, throng_colour goal)
{
    float highest = 0;
    throng_picture_draw_map(picture, &place->view, scene->map, scene->class_index);
    if (scene->field != NULL) {
        throng_field_style style = throng_default_field_style();
        highest = throng_picture_draw_field(picture, &place->view, scene->map,
                                            throng_field_get_view(scene->field), &style);
    }
    for (int i = 0; i < scene->goal_count; i++) {
        throng_picture_draw_goal(picture, &place->view, scene->map, &scene->goals[i], goal);
    }
    draw_routes(picture, place, scene);
    throng_picture_draw_scale_bar(picture, &place->view);
    return highest;
}

void throng_picture_draw_background(throng_picture *picture, const throng_scene_picture *scene)
{
    if (scene->cookie != SCENE_PICTURE_COOKIE || scene->map == NULL) {
        return;
    }
    layout place = lay_out(picture, scene);
    throng_picture_fill(picture, (throng_pixel_rect){0, 0, picture->width, picture->height},
                        thg_backdrop);
    throng_colour goal = {255, 255, 255, 235};
    float highest = 0;
    if (throng_map_planet(scene->map) != NULL) {
        draw_globes(picture, &place, scene, goal);
    } else {
        highest = draw_plane(picture, &place, scene, goal);
    }
    draw_titles(picture, &place, scene);
    int x;
    int y;
    legend_start(&place, &x, &y);
    draw_ramps(picture, &place, scene, highest, &x, &y);
    int entries_y = place.panel ? y : place.strip.y + 36 * place.size;
    x = place.panel ? x : 8 * place.size;
    if (scene->goal_count > 0) {
        draw_entry(picture, &place, goal, scene->goal_count > 1 ? "goals" : "goal", &x, &entries_y);
    }
    for (int i = 0; i < scene->legend_count; i++) {
        draw_mark(picture, &place, &scene->legend[i], &x, &entries_y);
    }
}

/// How many are in which state: a column in a panel, two rows at the right end of the strip.
static void draw_states(throng_picture *picture, const layout *place,
                        const throng_scene_picture *scene, throng_agents_view agents)
{
    int counts[THRONG_CUT_OFF + 1] = {0};
    for (int i = 0; i < agents.count; i++) {
        counts[agents.status[i] <= THRONG_CUT_OFF ? agents.status[i] : 0]++;
    }
    int size = place->size;
    int shown = 0;
    int kinds = 0;
    for (int status = 0; status <= THRONG_CUT_OFF; status++) {
        kinds += counts[status] > 0;
    }
    for (int status = 0; status <= THRONG_CUT_OFF; status++) {
        if (counts[status] == 0) {
            continue;
        }
        char number[40], text[80];
        thg_count_text(number, sizeof number, counts[status]);
        snprintf(text, sizeof text, "%s %s", number, throng_status_name((throng_status)status));
        throng_colour colour = scene->colours == THRONG_COLOUR_STATUS
                                   ? throng_colour_of_status((throng_status)status)
                                   : thg_faint_ink;
        int x = place->panel ? place->words.x + 8 * size
                             : picture->width - ((kinds + 1) / 2 - shown / 2) * 92 * size;
        int y = place->panel ? (75 + 12 * shown) * size
                             : place->strip.y + (6 + 14 * (shown % 2)) * size;
        draw_entry(picture, place, colour, text, &x, &y);
        shown++;
    }
}

/// Time and number of agents.
static void draw_counts(throng_picture *picture, const layout *place,
                        const throng_scene_picture *scene, throng_agents_view agents)
{
    int size = place->size;
    char number[40], time[40], total[80];
    snprintf(time, sizeof time, "%.1f s", throng_crowd_time(scene->crowd));
    thg_count_text(number, sizeof number, agents.count);
    snprintf(total, sizeof total, "%s agents", number);
    if (place->panel) {
        int x = place->words.x + 8 * size;
        throng_picture_text(picture, x, 42 * size, 2 * size, time, thg_ink);
        throng_picture_text(picture, x, 61 * size, size, total, thg_ink);
    } else {
        int right = picture->width - 8 * size;
        throng_picture_text(picture, right - throng_picture_text_width(size + 1, time), 7 * size,
                            size + 1, time, thg_ink);
        throng_picture_text(picture, right - throng_picture_text_width(size, total), 18 * size + 8,
                            size, total, thg_faint_ink);
    }
    draw_states(picture, place, scene, agents);
}

throng_result throng_picture_draw_crowd(throng_picture *picture, const throng_scene_picture *scene)
{
    if (scene->cookie != SCENE_PICTURE_COOKIE || scene->map == NULL || scene->crowd == NULL) {
        return THRONG_OK;
    }
    layout place = lay_out(picture, scene);
    throng_agents_view agents = throng_crowd_agents(scene->crowd);
    throng_result result = THRONG_OK;
    if (throng_map_planet(scene->map) != NULL) {
        for (int half = 0; half < 2; half++) {
            throng_globe globe = globe_of(&place, scene, half);
            throng_picture_draw_globe_agents(picture, &globe, agents, scene->colours);
        }
        draw_counts(picture, &place, scene, agents);
        return result;
    }
    if (scene->density_full > 0) {
        result = throng_picture_draw_density(picture, &place.view, agents, scene->density_full);
    }
    throng_picture_draw_agents(picture, &place.view, agents, scene->colours);
    draw_counts(picture, &place, scene, agents);
    return result;
}
