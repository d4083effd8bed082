package main

import (
	"encoding/json"
	"errors"
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

	hide *peer.Mask // the credentials, which a vendor may repeat
}

func (r *report) skip(s streams, service, route, why string) {
	r.skipped++
	fmt.Fprintf(s.out, "%s %s: left out: %s\n", service, route, why)
}

func (r *report) fail(s streams, service, route string, err error) {
	r.tried++
	r.failed++
	fmt.Fprintf(s.out, "%s %s: failed: %s\n", service, route, describe(err))
}

// compare says what an answer has of what is documented. learn gets the members with a
// text or a number.
func (r *report) compare(
	s streams, service string, o catalogue.Operation, body []byte, verbose bool, learn func(name, value string),
) {
	r.tried++
	if o.Answer == nil {
		r.asDocumented++
		fmt.Fprintf(s.out, "%s %s: answered; no shape is documented\n", service, o.Route)
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
	fmt.Fprintf(s.out, "%s %s: arrived %d of %d\n", service, o.Route, len(arrived), members)
	if verbose {
		r.list(s, "arrived", arrived)
	}
	r.list(s, "missing", missing)
	r.list(s, "not documented", unknown)
	if len(missing)+len(unknown) > 0 {
		r.differ++
	} else {
		r.asDocumented++
	}
}

// Names that are not documented are the vendor's: as many and as long as it likes.
const (
	mostNames = 200
	mostName  = 200 // characters
)

func (r *report) list(s streams, what string, names map[string]bool) {
	sorted := slices.Sorted(maps.Keys(names))
	for _, name := range sorted[:min(len(sorted), mostNames)] {
		fmt.Fprintf(s.out, "  %s: %.*s\n", what, mostName, oneLine(errors.New(r.hide.Text(name))))
	}
	if more := len(sorted) - mostNames; more > 0 {
		fmt.Fprintf(s.out, "  %s: %d more\n", what, more)
	}
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
	fmt.Fprintf(s.out, "%d routes tried: as documented %d, differ %d, failed %d; left out %d\n",
		r.tried, r.asDocumented, r.differ, r.failed, r.skipped)
	if r.differ+r.failed > 0 {
		return as(statusDiffers, errDiffers)
	}
	if r.tried == 0 {
		return as(statusMalformed, errNothingTried) // what watches for drift must not pass for nothing
	}
	return nil
}
