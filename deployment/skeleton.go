package deployment

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go/internal/catalogue"
)

// Skeleton returns a deployment's file for services by the names of their packages, all
// of them if none is named. Every documented word is in it, each as a comment, so that
// the file is read as the documentation until a line is changed.
func Skeleton(services ...string) ([]byte, error) {
	if len(services) == 0 {
		services = inOrder(serviceNames())
	}
	var b skeleton
	b.line(0, "{")
	b.line(1, `"name": "vendor",`)
	b.line(1, `"services": {`)
	for _, name := range services {
		s, ok := catalogue.Of(name)
		if !ok {
			return nil, &Error{Path: "services." + name, Problem: "no service has this name" + suggestion(name, serviceNames())}
		}
		b.service(s)
	}
	b.line(1, "},")
	b.line(0, "}")
	return b.Bytes(), nil
}

type skeleton struct{ bytes.Buffer }

func (b *skeleton) line(depth int, format string, args ...any) {
	b.WriteString(strings.Repeat("  ", depth))
	fmt.Fprintf(b, format, args...)
	b.WriteByte('\n')
}

// words writes a map with each word as its own translation, in a comment.
func (b *skeleton) words(depth int, name string, words []string) {
	if len(words) == 0 {
		return
	}
	b.line(depth, "%q: {", name)
	for _, word := range words {
		b.line(depth+1, "// %s: %s,", quoted(word), quoted(word))
	}
	b.line(depth, "},")
}

func quoted(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		return `""`
	}
	return string(b)
}

func (b *skeleton) service(s catalogue.Service) {
	c := checker{documented: s}
	v := c.documentedWords(nil)
	b.line(2, "%q: {", s.Name)
	b.line(3, `"urls": {`)
	for _, field := range s.URLs {
		scheme := "https"
		if field == "webSocketURL" {
			scheme = "wss"
		}
		b.line(4, `// %q: "%s://api.vendor.example%s",`, field, scheme, s.Prefix)
	}
	b.line(3, "},")
	b.line(3, `// "auth": [{"in": "header", "name": "X-Vendor-Key", "prefix": ""}],`)
	b.words(3, "headers", s.Headers)
	b.words(3, "segments", segmentsOf(s))
	b.words(3, "query", inOrder(v.query))
	b.words(3, "keys", inOrder(v.keys))
	b.line(3, `"values": {`)
	for _, name := range inOrder(v.values) {
		b.words(4, name, inOrder(v.values[name]))
	}
	b.line(3, "},")
	b.line(3, `"numbers": {`)
	b.line(4, `// "name": {"live": "string", "neutral": "string", "scale": 6, "prefix": "$"},`)
	b.line(3, "},")
	b.line(3, `// "failure": [{"unwrap": "error"}],`)
	b.line(3, `"operations": {`)
	for _, o := range s.Operations {
		b.line(4, "// %s", about(o))
		b.line(4, `// %q: {"route": %q},`, o.Route, o.Route)
	}
	for _, o := range s.Feed() {
		b.line(4, `// %q: {"keys": {}},`, o.Route)
	}
	b.line(3, "},")
	b.line(2, "},")
}

// about says what an operation is, for a comment.
func about(o catalogue.Operation) string {
	text := strings.Join(o.Methods, ", ") + ": " + o.Effect
	if o.Costs {
		text += ", billed"
	}
	if names := inOrder(o.Query); len(names) > 0 {
		text += "; parameters " + strings.Join(names, ", ")
	}
	return text
}

func segmentsOf(s catalogue.Service) []string {
	found := map[string]bool{}
	paths := []string{s.Prefix}
	for _, o := range s.Operations {
		paths = append(paths, o.Path())
	}
	if slices.Contains(s.URLs, "webSocketURL") {
		paths = append(paths, "/ws") // the feed's
	}
	for _, path := range paths {
		for segment := range strings.SplitSeq(path, "/") {
			if segment != "" && segment[0] != '{' {
				found[segment] = true
			}
		}
	}
	return inOrder(found)
}
