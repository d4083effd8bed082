package sandbox

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// burnCloseDocument is a page that is sent as it is.
func burnCloseDocument(contentType, text string) reply {
	return reply{header: http.Header{"Content-Type": {contentType}}, raw: []byte(text)}
}

// openAPI describes the routes. It is written from them.
func (b *burnClose) openAPI(c *call, _ nothing) (any, error) {
	paths := map[string]any{}
	for _, r := range c.service.routes {
		operation := map[string]any{"responses": map[string]any{"200": map[string]string{"description": "success"}}}
		if r.auth.demand == inherited {
			operation["security"] = []any{map[string]any{"key": []string{}}, map[string]any{"bearer": []string{}}}
		}
		if names := burnCloseFields(r); len(names) > 0 {
			operation["description"] = "Body: " + strings.Join(names, ", ")
		}
		paths[r.path] = map[string]any{strings.ToLower(r.method): operation}
	}
	return map[string]any{
		"openapi": "3.1.0",
		"info":    map[string]string{"title": "burn and close", "version": "2"},
		"paths":   paths,
		"components": map[string]any{"securitySchemes": map[string]any{
			"key":    map[string]string{"type": "apiKey", "in": "header", "name": "x-api-key"},
			"bearer": map[string]string{"type": "http", "scheme": "bearer"},
		}},
	}, nil
}

// catalog points to the description, as a set of links.
func (b *burnClose) catalog(c *call, _ nothing) (any, error) {
	base := "http://" + c.request.Host
	return reply{
		header: http.Header{"Content-Type": {"application/linkset+json"}},
		body: map[string]any{"linkset": []any{map[string]any{
			"anchor":       base + "/",
			"service-desc": []any{map[string]string{"href": base + "/openapi.json", "type": "application/json"}},
			"service-doc":  []any{map[string]string{"href": base + "/DOCS.md", "type": "text/markdown"}},
		}}},
	}, nil
}

// index lists the routes in a few lines.
func (b *burnClose) index(c *call, _ nothing) (any, error) {
	var page strings.Builder
	page.WriteString("# Burn and close\n\n> Burns assets, closes token accounts, relays transactions.\n\n")
	for _, r := range c.service.routes {
		fmt.Fprintf(&page, "- %s %s\n", r.method, r.path)
	}
	return burnCloseDocument(burnCloseMedia(c), page.String()), nil
}

// manual lists them with what they take.
func (b *burnClose) manual(c *call, _ nothing) (any, error) {
	var page strings.Builder
	page.WriteString("# Burn and close\n")
	for _, r := range c.service.routes {
		fmt.Fprintf(&page, "\n## %s %s\n", r.method, r.path)
		for _, name := range burnCloseFields(r) {
			fmt.Fprintf(&page, "\n- `%s`", name)
		}
		page.WriteString("\n")
	}
	return burnCloseDocument(burnCloseMedia(c), page.String()), nil
}

// burnCloseMedia goes by the ending of the page's name.
func burnCloseMedia(c *call) string {
	if strings.HasSuffix(c.route.path, ".md") {
		return "text/markdown; charset=utf-8"
	}
	return "text/plain; charset=utf-8"
}

// burnCloseFields are the names of the fields that a route's body may have, in order.
func burnCloseFields(r route) []string {
	var names []string
	for _, f := range r.input.body {
		names = append(names, f.name)
	}
	slices.Sort(names)
	return names
}
