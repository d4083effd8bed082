package hollow

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/declared"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// cell is one answer of the table.
type cell struct {
	name   string
	status int
	bodies []string // one, or one for each member that is declared
	names  []string // of the members, which the error must hold; none if there is no declaration
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

// hollowOr is the outcome for an answer that only some forms take, an empty one if that is one form.
func hollowOr(forms ...declared.Form) func(hollow, transport.Call) outcome {
	return func(row hollow, call transport.Call) outcome {
		switch {
		case (row.named || row.listed) && len(forms) > 1:
			return decode
		case slices.Contains(forms, call.Answer.Form):
			return success
		}
		return inDoubt(call, decode)
	}
}

// cells are the answers that the row's call gets.
func (row hollow) cells(t *testing.T, answer declared.Answer) []cell {
	nothing := hollowOr(declared.FormSilent)
	anyJSON := hollowOr(declared.FormSilent, declared.FormDocument, declared.FormText)
	anyJSON = undecided(anyJSON)
	list := func(row hollow, call transport.Call) outcome {
		if call.Op == "SearchTokens" || call.Answer.Judged && row.payload != "" {
			return success // of no token, and of amm no pool
		}
		if row.listed {
			return success
		}
		if call.Answer.Form == declared.FormSays && len(answer.Members) == 1 && row.payload == "" {
			place := declared.Places(answer.Members[0])[0]
			if (place.Kind == "list" || place.Kind == "items") && (place.Path == "" || place.Path[0] == '*') {
				return success
			}
		}
		return anyJSON(row, call)
	}
	null := func(row hollow, call transport.Call) outcome {
		if row.payload != "" {
			return list(row, call) // an empty one of amm may be null
		}
		return anyJSON(row, call)
	}
	refusal := func(_ hollow, call transport.Call) outcome { return inDoubt(call, refused) }
	no := func(_ hollow, call transport.Call) outcome { return inDoubt(call, rejected) }
	all := []cell{
		{name: "200 and nothing", status: http.StatusOK, bodies: []string{``}, want: nothing},
		{name: "204", status: http.StatusNoContent, bodies: []string{``}, want: nothing},
		{name: "null", status: http.StatusOK, bodies: []string{`null`}, want: null},
		{name: "{}", status: http.StatusOK, bodies: []string{`{}`}, want: anyJSON},
		{name: "[]", status: http.StatusOK, bodies: []string{`[]`}, want: list},
		{name: `""`, status: http.StatusOK, bodies: []string{`""`}, want: anyJSON},
		{name: "0", status: http.StatusOK, bodies: []string{`0`}, want: anyJSON},
		{name: "a page", status: http.StatusOK, bodies: []string{"<!DOCTYPE html><html><body>Bad gateway</body></html>"}, want: func(_ hollow, call transport.Call) outcome { return inDoubt(call, decode) }},
		{name: "an error", status: http.StatusOK, bodies: []string{`{"error":"x"}`}, want: no},
		{name: "an error with a code", status: http.StatusOK, bodies: []string{`{"error":{"code":"X","message":"y"}}`}, want: no},
		{name: "a message", status: http.StatusOK, bodies: []string{`{"message":"x"}`}, want: refusal},
		{name: "success:false", status: http.StatusOK, bodies: []string{`{"success":false}`}, want: no},
	}
	return slices.Concat(all, row.verdicts(t), row.mutations(t, answer))
}

// undecided tells what becomes of an answer without a documented shape that says nothing.
func undecided(otherwise func(hollow, transport.Call) outcome) func(hollow, transport.Call) outcome {
	return func(row hollow, call transport.Call) outcome {
		if call.Answer.Judged {
			return inDoubt(call, decode)
		}
		return otherwise(row, call)
	}
}

// mutations are the documented answer without what the call declares.
func (row hollow) mutations(t *testing.T, answer declared.Answer) []cell {
	hollowed := func(_ hollow, call transport.Call) outcome {
		if answer.Form == declared.FormSays {
			return inDoubt(call, decode)
		}
		return success
	}
	removed := cell{name: "without the member", status: http.StatusOK, want: hollowed}
	null := cell{name: "with null", status: http.StatusOK, want: hollowed}
	wrong := cell{name: "with another type", status: http.StatusOK, want: hollowed}
	for i, places := range row.places(t, answer) {
		nullable := slices.ContainsFunc(places, func(p declared.Place) bool { return p.Kind == "null" || p.Kind == "items" })
		removed.bodies = append(removed.bodies, row.change(t, places, nil))
		if answer.Form == declared.FormSays {
			name := cmp.Or(strings.TrimPrefix(firstOf(declared.Places(answer.Members[i])[0].Path), "*"), "the answer is empty")
			removed.names = append(removed.names, name)
		}
		if !nullable {
			null.bodies = append(null.bodies, row.change(t, places, func(declared.Place) any { return nil }))
		}
		wrong.bodies = append(wrong.bodies, row.change(t, places, misfit))
	}
	return []cell{removed, null, wrong}
}

// places are where the deciding members of the documented answer are: those that
// the call declares, or the first member of an answer that is free.
func (row hollow) places(t *testing.T, answer declared.Answer) [][]declared.Place {
	var all [][]declared.Place
	for _, member := range answer.Members {
		if strings.HasPrefix(member, "*") {
			require.NotEmpty(t, row.found, "%s: where is what is declared as %q?", row.route, member)
			member = row.found
		}
		all = append(all, declared.Places(member))
	}
	if answer.Form == declared.FormSays {
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
	return [][]declared.Place{{{Path: first, Kind: "text"}}}
}

func firstOf(path string) string {
	name, _, _ := strings.Cut(path, ".")
	return name
}

// misfit is a value that does not fit a place.
func misfit(p declared.Place) any {
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
func (row hollow) change(t *testing.T, places []declared.Place, value func(declared.Place) any) string {
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

func change(doc any, path []string, place declared.Place, value func(declared.Place) any) bool {
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
