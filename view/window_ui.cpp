/// Dear ImGui behind window_ui.h; its triangles become an overlay, drawn by libthrong_gpu.
#include "window_ui.h"
#include <SDL.h>
#include <backends/imgui_impl_sdl.h>
#include <cstddef>
#include <cstdio>
#include <imgui.h>
#include <new>
#include <vector>

static_assert(sizeof(ImDrawVert) == sizeof(throng_overlay_corner), "corners are copied as they are");
static_assert(offsetof(ImDrawVert, col) == offsetof(throng_overlay_corner, colour), "as above");
static_assert(sizeof(ImDrawIdx) == sizeof(uint16_t), "as above");

namespace {

struct triangles {
    std::vector<throng_overlay_corner> corners;
    std::vector<uint16_t> indices;
    std::vector<throng_overlay_part> parts;
};
triangles *made = nullptr;

void add_list(const ImDrawList *list)
{
    const int first_corner = static_cast<int>(made->corners.size());
    const uint32_t first_index = static_cast<uint32_t>(made->indices.size());
    const auto *corners = reinterpret_cast<const throng_overlay_corner *>(list->VtxBuffer.Data);
    made->corners.insert(made->corners.end(), corners, corners + list->VtxBuffer.Size);
    made->indices.insert(made->indices.end(), list->IdxBuffer.Data,
                         list->IdxBuffer.Data + list->IdxBuffer.Size);
    for (const ImDrawCmd &command : list->CmdBuffer) {
        if (command.UserCallback == nullptr && command.ElemCount > 0) {
            const ImVec4 &clip = command.ClipRect;
            made->parts.push_back({{clip.x, clip.y, clip.z, clip.w},
                                   first_index + command.IdxOffset,
                                   command.ElemCount,
                                   first_corner + static_cast<int>(command.VtxOffset)});
        }
    }
}

void tell(const char *tooltip)
{
    if (tooltip != nullptr && tooltip[0] != '\0' && ImGui::IsItemHovered()) {
        ImGui::BeginTooltip();
        ImGui::PushTextWrapPos(ImGui::GetFontSize() * 24.0f);
        ImGui::TextUnformatted(tooltip);
        ImGui::PopTextWrapPos();
        ImGui::EndTooltip();
    }
}

} // namespace

bool view_ui_open(void *shell, float scale)
{
    made = new (std::nothrow) triangles;
    if (made == nullptr || ImGui::CreateContext() == nullptr) {
        return false;
    }
    ImGuiIO &io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    ImFontConfig font;
    font.SizePixels = static_cast<float>(static_cast<int>(13.0f * scale + 0.5f));
    io.Fonts->AddFontDefault(&font);
    ImGui::StyleColorsDark();
    ImGuiStyle &style = ImGui::GetStyle();
    style.WindowRounding = 4.0f;
    style.FrameRounding = 3.0f;
    style.WindowBorderSize = 0.0f;
    style.Colors[ImGuiCol_WindowBg].w = 0.86f;
    style.ScaleAllSizes(scale);
    return ImGui_ImplSDL2_InitForVulkan(static_cast<SDL_Window *>(shell));
}

void view_ui_close(void)
{
    if (ImGui::GetCurrentContext() != nullptr) {
        ImGui_ImplSDL2_Shutdown();
        ImGui::DestroyContext();
    }
    delete made;
    made = nullptr;
}

const unsigned char *view_ui_sheet(int *width, int *height)
{
    unsigned char *pixels = nullptr;
    ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&pixels, width, height);
    return pixels;
}

bool view_ui_event(const void *event)
{
    const auto *given = static_cast<const SDL_Event *>(event);
    ImGui_ImplSDL2_ProcessEvent(given);
    const ImGuiIO &io = ImGui::GetIO();
    switch (given->type) {
    case SDL_KEYDOWN:
    case SDL_TEXTINPUT:
        return io.WantTextInput;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEWHEEL:
    case SDL_MOUSEMOTION:
        return io.WantCaptureMouse;
    default:
        return false;
    }
}

void view_ui_begin(void)
{
    ImGui_ImplSDL2_NewFrame();
    ImGui::NewFrame();
}

throng_overlay view_ui_end(void)
{
    ImGui::Render();
    const ImDrawData *data = ImGui::GetDrawData();
    made->corners.clear();
    made->indices.clear();
    made->parts.clear();
    for (int i = 0; i < data->CmdListsCount; i++) {
        add_list(data->CmdLists[i]);
    }
    return {made->corners.data(),
            made->indices.data(),
            made->parts.data(),
            static_cast<int>(made->corners.size()),
            static_cast<int>(made->indices.size()),
            static_cast<int>(made->parts.size()),
            data->DisplaySize.x,
            data->DisplaySize.y};
}

bool view_ui_panel(const char *title, float x, float y, float width, float height, bool *open)
{
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    const bool right = x < 0.0f;
    ImGui::SetNextWindowPos(ImVec2(right ? window.x + x : x, y), ImGuiCond_Always,
                            ImVec2(right ? 1.0f : 0.0f, 0.0f));
    ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0.0f),
                                        ImVec2(width, height > 32.0f ? height : 32.0f));
    return ImGui::Begin(title, open,
                        ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                            ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings);
}

void view_ui_panel_end(void)
{
    ImGui::End();
}

void view_ui_size(float *width, float *height)
{
    *width = ImGui::GetIO().DisplaySize.x;
    *height = ImGui::GetIO().DisplaySize.y;
}

bool view_ui_header(const char *title, bool open)
{
    return ImGui::CollapsingHeader(title, open ? ImGuiTreeNodeFlags_DefaultOpen : 0);
}

void view_ui_text(const char *text)
{
    ImGui::TextUnformatted(text);
}

void view_ui_faint(const char *text)
{
    ImGui::TextDisabled("%s", text);
}

void view_ui_note(const char *text)
{
    ImGui::TextWrapped("%s", text);
}

void view_ui_same_line(void)
{
    ImGui::SameLine();
}

bool view_ui_button(const char *label, const char *tooltip, bool on)
{
    if (on) {
        ImGui::PushStyleColor(ImGuiCol_Button, ImVec4(0.20f, 0.55f, 0.36f, 1.0f));
    }
    const bool pressed = ImGui::Button(label);
    if (on) {
        ImGui::PopStyleColor();
    }
    tell(tooltip);
    return pressed;
}

bool view_ui_check(const char *label, const char *tooltip, bool on)
{
    const bool pressed = ImGui::Checkbox(label, &on);
    tell(tooltip);
    return pressed;
}

bool view_ui_slider(const char *label, const char *tooltip, float *value, float low, float high,
                    bool logarithmic)
{
    ImGui::SetNextItemWidth(ImGui::GetFontSize() * 8.0f);
    ImGui::SliderFloat(label, value, low, high, "%.3g",
                       (logarithmic ? ImGuiSliderFlags_Logarithmic : 0) |
                           ImGuiSliderFlags_AlwaysClamp);
    const bool let_go = ImGui::IsItemDeactivatedAfterEdit();
    tell(tooltip);
    return let_go;
}

bool view_ui_whole(const char *label, const char *tooltip, float *value, float low, float high)
{
    int whole = static_cast<int>(*value);
    ImGui::SetNextItemWidth(ImGui::GetFontSize() * 8.0f);
    ImGui::InputInt(label, &whole, 1, 10);
    const bool let_go = ImGui::IsItemDeactivatedAfterEdit();
    tell(tooltip);
    if (!ImGui::IsItemActive() || let_go) { // not while it is being typed
        const float wanted = static_cast<float>(whole);
        *value = wanted < low ? low : wanted > high ? high : wanted;
    }
    return let_go;
}

bool view_ui_field(const char *label, char *text, int size)
{
    ImGui::SetNextItemWidth(ImGui::GetFontSize() * 14.0f);
    return ImGui::InputText(label, text, static_cast<size_t>(size),
                            ImGuiInputTextFlags_EnterReturnsTrue);
}

void view_ui_graph(const char *label, const float *values, int count, int first, float most)
{
    ImGui::PlotLines("", values, count, first, label, 0.0f, most,
                     ImVec2(ImGui::GetContentRegionAvail().x, ImGui::GetFontSize() * 2.4f));
}

void view_ui_row(const char *a, const char *b, const char *c)
{
    const float width = ImGui::GetFontSize() * 0.9f;
    ImGui::TextColored(ImVec4(0.98f, 0.82f, 0.38f, 1.0f), "%s", a);
    ImGui::SameLine(width * 6.0f);
    ImGui::TextUnformatted(b);
    ImGui::SameLine(width * 15.0f);
    ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
    ImGui::TextWrapped("%s", c);
    ImGui::PopStyleColor();
}
