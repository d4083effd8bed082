package e2e

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/proof"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// cell is one answer of the table.
type cell struct {
	name   string
	status int
	bodies []string // one, or one for each member that is declared
	want   func(row hollow, call transport.Call) outcome
}

var (
	success  = outcome{name: "ok"}
	decode   = outcome{name: "decode", kinds: []error{walletfi.ErrDecode}, not: []error{walletfi.ErrOutcomeUnknown, walletfi.ErrRejected}}
	rejected = outcome{name: "rejected", kinds: []error{walletfi.ErrRejected}, not: []error{walletfi.ErrOutcomeUnknown, walletfi.ErrDecode}}
	refused  = outcome{name: "refused", kinds: []error{walletfi.ErrDecode, walletfi.ErrRejected}, not: []error{walletfi.ErrOutcomeUnknown}}
	unknown  = outcome{name: "unknown", kinds: []error{walletfi.ErrOutcomeUnknown}, not: []error{walletfi.ErrRejected, walletfi.ErrUnavailable}}
)

// inDoubt is the outcome for an answer that says nothing: that of a relay or a
// creation is not known.
func inDoubt(call transport.Call, else_ outcome) outcome {
	if call.Effect == transport.Relay || call.Effect == transport.Create {
		return unknown
	}
	return else_
}

// hollowOr is the outcome for an answer that only some forms take.
func hollowOr(forms ...proof.Form) func(hollow, transport.Call) outcome {
	return func(_ hollow, call transport.Call) outcome {
		if slices.Contains(forms, call.Answer.Form) {
			return success
		}
		return inDoubt(call, decode)
	}
}

// cells are the answers that the row's call gets.
func (row hollow) cells(t *testing.T, answer proof.Answer) []cell {
	nothing := hollowOr(proof.FormSilent)
	anyJSON := hollowOr(proof.FormSilent, proof.FormDocument, proof.FormText)
	list := func(row hollow, call transport.Call) outcome {
		if call.Answer.Form == proof.FormSays && len(answer.Members) == 1 && row.payload == "" {
			place := proof.Places(answer.Members[0])[0]
			if place.Kind == "list" && (place.Path == "" || place.Path == "*") {
				return success
			}
		}
		return anyJSON(row, call)
	}
	refusal := func(_ hollow, call transport.Call) outcome { return inDoubt(call, refused) }
	no := func(_ hollow, call transport.Call) outcome { return inDoubt(call, rejected) }
	all := []cell{
		{"200 and nothing", http.StatusOK, []string{``}, nothing},
		{"204", http.StatusNoContent, []string{``}, nothing},
		{"null", http.StatusOK, []string{`null`}, anyJSON},
		{"{}", http.StatusOK, []string{`{}`}, anyJSON},
		{"[]", http.StatusOK, []string{`[]`}, list},
		{`""`, http.StatusOK, []string{`""`}, anyJSON},
		{"0", http.StatusOK, []string{`0`}, anyJSON},
		{"a page", http.StatusOK, []string{"<!DOCTYPE html><html><body>Bad gateway</body></html>"}, func(_ hollow, call transport.Call) outcome { return inDoubt(call, decode) }},
		{"an error", http.StatusOK, []string{`{"error":"x"}`}, refusal},
		{"an error with a code", http.StatusOK, []string{`{"error":{"code":"X","message":"y"}}`}, refusal},
		{"a message", http.StatusOK, []string{`{"message":"x"}`}, refusal},
		{"success:false", http.StatusOK, []string{`{"success":false}`}, no},
	}
	return append(all, row.mutations(t, answer)...)
}

// mutations are the documented answer without what the call declares.
func (row hollow) mutations(t *testing.T, answer proof.Answer) []cell {
	hollowed := func(_ hollow, call transport.Call) outcome {
		if answer.Form == proof.FormSays {
			return inDoubt(call, decode)
		}
		return success
	}
	removed := cell{"without the member", http.StatusOK, nil, hollowed}
	null := cell{"with null", http.StatusOK, nil, hollowed}
	wrong := cell{"with another type", http.StatusOK, nil, hollowed}
	for _, places := range row.places(t, answer) {
		nullable := slices.ContainsFunc(places, func(p proof.Place) bool { return p.Kind == "null" })
		removed.bodies = append(removed.bodies, row.change(t, places, nil))
		if !nullable {
			null.bodies = append(null.bodies, row.change(t, places, func(proof.Place) any { return nil }))
		}
		wrong.bodies = append(wrong.bodies, row.change(t, places, misfit))
	}
	return []cell{removed, null, wrong}
}

// places are where the deciding members of the documented answer are: those that
// the call declares, or the first member of an answer that is free.
func (row hollow) places(t *testing.T, answer proof.Answer) [][]proof.Place {
	var all [][]proof.Place
	for _, member := range answer.Members {
		if strings.HasPrefix(member, "*") {
			require.NotEmpty(t, row.found, "%s: where is what is declared as %q?", row.route, member)
			member = row.found
		}
		all = append(all, proof.Places(member))
	}
	if answer.Form == proof.FormSays {
		return all
	}
	var object map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(row.documented), &object))
	if row.payload != "" {
		inner := object[row.payload]
		object = nil
		require.NoError(t, json.Unmarshal(inner, &object))
	}
	first := slices.Min(slices.Collect(maps.Keys(object)))
	return [][]proof.Place{{{Path: first, Kind: "text"}}}
}

// misfit is a value that does not fit a place.
func misfit(p proof.Place) any {
	switch p.Kind {
	case "number", "bool":
		return "soon"
	case "id":
		return []any{}
	}
	return 7
}

// change returns the documented answer with other values at places, or without
// them if value is nil.
func (row hollow) change(t *testing.T, places []proof.Place, value func(proof.Place) any) string {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(row.documented))
	decoder.UseNumber()
	var doc any
	require.NoError(t, decoder.Decode(&doc))
	changed := false
	for _, place := range places {
		path := strings.Trim(row.payload+"."+place.Path, ".")
		if path == "" {
			if value == nil {
				return ""
			}
			return text(t, value(place))
		}
		changed = change(doc, strings.Split(path, "."), place, value) || changed
	}
	require.True(t, changed, "%s: the documented answer has none of %v", row.route, places)
	return text(t, doc)
}

func change(doc any, path []string, place proof.Place, value func(proof.Place) any) bool {
	object, ok := doc.(map[string]any)
	if !ok || object[path[0]] == nil {
		return false
	}
	switch {
	case len(path) > 1:
		return change(object[path[0]], path[1:], place, value)
	case value == nil:
		delete(object, path[0])
	default:
		object[path[0]] = value(place)
	}
	return true
}

func text(t *testing.T, v any) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	require.NoError(t, e.Encode(v))
	return strings.TrimSpace(b.String())
}
