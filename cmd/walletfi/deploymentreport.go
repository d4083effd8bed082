package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go/internal/catalogue"
	"github.com/walletfi/walletfi-go/internal/drift"
	"github.com/walletfi/walletfi-go/internal/peer"
)

// report counts how the routes of a deployment did.
type report struct {
	tried, asDocumented, differ, failed, skipped int

	asJSON bool
	hide   *peer.Mask // the credentials, which a vendor may repeat
}

// tried is the result of a route, and an object of --json.
type tried struct {
	Service string   `json:"service"`
	Route   string   `json:"route"`
	Result  string   `json:"result"` // as documented, differs, failed or left out
	Text    string   `json:"text"`
	Arrived []string `json:"arrived,omitempty"` // with --verbose
	Missing []string `json:"missing,omitempty"`
	Unknown []string `json:"notDocumented,omitempty"`
}

func (r *report) say(s streams, t tried) {
	if r.asJSON {
		_ = json.NewEncoder(s.out).Encode(t) // the sink remembers
		return
	}
	fmt.Fprintf(s.out, "%s %s: %s\n", t.Service, t.Route, t.Text)
	for _, list := range []struct {
		what  string
		names []string
	}{{"arrived", t.Arrived}, {"missing", t.Missing}, {"not documented", t.Unknown}} {
		for _, name := range list.names {
			fmt.Fprintf(s.out, "  %s: %s\n", list.what, name)
		}
	}
}

func (r *report) skip(s streams, service, route, why string) {
	r.skipped++
	r.say(s, tried{Service: service, Route: route, Result: "left out", Text: "left out: " + why})
}

func (r *report) fail(s streams, service, route string, err error) {
	r.tried++
	r.failed++
	r.say(s, tried{Service: service, Route: route, Result: "failed", Text: "failed: " + describe(err)})
}

// compare says what an answer has of what is documented. learn gets the members with a
// text or a number.
func (r *report) compare(
	s streams, service string, o catalogue.Operation, body []byte, verbose bool, learn func(name, value string),
) {
	r.tried++
	if o.Answer == nil {
		r.asDocumented++
		const text = "answered; no shape is documented"
		r.say(s, tried{Service: service, Route: o.Route, Result: "as documented", Text: text})
		return
	}
	arrived, unknown := map[string]bool{}, map[string]bool{}
	drift.Compare(*o.Answer, body, func(f drift.Finding) {
		switch f.Kind {
		case drift.Unknown:
			unknown[f.Member] = true
		case drift.Value:
			unknown[fmt.Sprintf("%s: the value %.80q", f.Member, r.hide.Text(scalar(f.Value)))] = true
			arrived[f.Member] = true
		default:
			arrived[f.Member] = true
		}
		if text := scalar(f.Value); f.Kind == drift.Arrived && text != "" {
			learn(f.Member[strings.LastIndexByte(f.Member, '.')+1:], text)
		}
	})
	missing, members := map[string]bool{}, 0
	o.Answer.Each(func(path, _ string, _ catalogue.Shape) {
		members++
		if parent, _, _ := cutLast(path); !arrived[path] && (parent == "" || arrived[parent]) {
			missing[path] = true
		}
	})
	t := tried{
		Service: service, Route: o.Route, Result: "as documented",
		Text:    fmt.Sprintf("arrived %d of %d", len(arrived), members),
		Missing: r.list(missing), Unknown: r.list(unknown),
	}
	if verbose {
		t.Arrived = r.list(arrived)
	}
	if len(missing)+len(unknown) > 0 {
		t.Result = "differs"
		r.differ++
	} else {
		r.asDocumented++
	}
	r.say(s, t)
}

// Names that are not documented are the vendor's: as many and as long as it likes.
const (
	mostNames = 200
	mostName  = 200 // characters
)

func (r *report) list(names map[string]bool) (all []string) {
	sorted := slices.Sorted(maps.Keys(names))
	for _, name := range sorted[:min(len(sorted), mostNames)] {
		all = append(all, fmt.Sprintf("%.*s", mostName, plain(r.hide.Text(name))))
	}
	if more := len(sorted) - mostNames; more > 0 {
		all = append(all, fmt.Sprintf("%d more", more))
	}
	return all
}

// cutLast returns what a member is in, without the "*" of lists.
func cutLast(path string) (parent, name string, ok bool) {
	i := strings.LastIndexByte(path, '.')
	if i < 0 {
		return "", path, false
	}
	parent = strings.TrimSuffix(path[:i], ".*")
	if parent == "*" {
		parent = ""
	}
	return parent, path[i+1:], true
}

// scalar returns the text of a string or number, "" for anything else.
func scalar(value []byte) string {
	var text string
	switch {
	case json.Unmarshal(value, &text) == nil:
		return text
	case len(value) > 0 && value[0] != '{' && value[0] != '[' && string(value) != "null":
		return string(value)
	}
	return ""
}

// end writes the sum. A deployment of which an answer differs has its own status.
func (r *report) end(s streams) error {
	if !r.asJSON {
		fmt.Fprintf(s.out, "%d routes tried: as documented %d, differ %d, failed %d; left out %d\n",
			r.tried, r.asDocumented, r.differ, r.failed, r.skipped)
	}
	if r.differ+r.failed > 0 {
		return as(statusDiffers, errDiffers)
	}
	if r.tried == 0 {
		return as(statusMalformed, errNothingTried) // what watches for drift must not pass for nothing
	}
	return nil
}
