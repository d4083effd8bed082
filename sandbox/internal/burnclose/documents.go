package burnclose

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// document is a page that is sent unchanged.
func document(contentType, text string) kit.Reply {
	return kit.Reply{Header: http.Header{"Content-Type": {contentType}}, Raw: []byte(text)}
}

// openAPI describes the routes. It is generated from the table.
func (b *Service) openAPI(c *kit.Call, _ kit.Nothing) any {
	paths := map[string]any{}
	for _, r := range c.Service.Routes {
		operation := map[string]any{"responses": map[string]any{"200": map[string]string{"description": "success"}}}
		if r.Auth.Demand == kit.Inherited {
			operation["security"] = []any{map[string]any{"key": []string{}}, map[string]any{"bearer": []string{}}}
		}
		if names := fields(r); len(names) > 0 {
			operation["description"] = "Body: " + strings.Join(names, ", ")
		}
		paths[r.Path] = map[string]any{strings.ToLower(r.Method): operation}
	}
	return map[string]any{
		"openapi": "3.1.0",
		"info":    map[string]string{"title": "burn and close", "version": "2"},
		"paths":   paths,
		"components": map[string]any{"securitySchemes": map[string]any{
			"key":    map[string]string{"type": "apiKey", "in": "header", "name": "x-api-key"},
			"bearer": map[string]string{"type": "http", "scheme": "bearer"},
		}},
	}
}

// catalog points to the description, as a set of links.
func (b *Service) catalog(c *kit.Call, _ kit.Nothing) any {
	base := "http://" + c.Request.Host
	return kit.Reply{
		Header: http.Header{"Content-Type": {"application/linkset+json"}},
		Body: map[string]any{"linkset": []any{map[string]any{
			"anchor":       base + "/",
			"service-desc": []any{map[string]string{"href": base + "/openapi.json", "type": "application/json"}},
			"service-doc":  []any{map[string]string{"href": base + "/DOCS.md", "type": "text/markdown"}},
		}}},
	}
}

// index lists the routes in a few lines.
func (b *Service) index(c *kit.Call, _ kit.Nothing) any {
	var page strings.Builder
	page.WriteString("# Burn and close\n\n> Burns assets, closes token accounts, relays transactions.\n\n")
	for _, r := range c.Service.Routes {
		fmt.Fprintf(&page, "- %s %s\n", r.Method, r.Path)
	}
	return document(media(c), page.String())
}

// manual lists the routes with their parameters.
func (b *Service) manual(c *kit.Call, _ kit.Nothing) any {
	var page strings.Builder
	page.WriteString("# Burn and close\n")
	for _, r := range c.Service.Routes {
		fmt.Fprintf(&page, "\n## %s %s\n", r.Method, r.Path)
		for _, name := range fields(r) {
			fmt.Fprintf(&page, "\n- `%s`", name)
		}
		page.WriteString("\n")
	}
	return document(media(c), page.String())
}

// media returns the media type for the extension of the page's name.
func media(c *kit.Call) string {
	if strings.HasSuffix(c.Route.Path, ".md") {
		return "text/markdown; charset=utf-8"
	}
	return "text/plain; charset=utf-8"
}

// fields are the names of the fields that a route's body may have, in order.
func fields(r kit.Route) []string {
	var names []string
	for _, f := range r.Input.Body {
		names = append(names, f.Name)
	}
	slices.Sort(names)
	return names
}

// health says that the service runs, in one of two shapes.
func (b *Service) health(c *kit.Call, _ kit.Nothing) any {
	if c.Shape(2) == 0 {
		return map[string]any{"status": "ok", "version": 2}
	}
	return map[string]any{"healthy": true, "timestamp": b.Now().Unix(), "slot": b.CurrentSlot()}
}
