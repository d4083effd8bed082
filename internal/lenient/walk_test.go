package lenient

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	scan "github.com/walletfi/walletfi-go/internal/jsontext"
)

// walked goes through the members of a body as a caller does.
func walked(body []byte, t reflect.Type) *Walk {
	w := new(Walk)
	if !w.Begin(body, t) {
		return w
	}
	for i := scan.SkipSpace(body, scan.SkipSpace(body, 0)+1); i < len(body) && body[i] == '"'; {
		to := scan.StringEnd(body, i)
		at := scan.SkipSpace(body, scan.SkipSpace(body, to)+1)
		if at >= len(body) {
			break
		}
		i = scan.SkipSpace(body, w.Value(scan.Unquote(body[i:to]), at)+1)
	}
	return w
}

// loop is a type that holds itself.
type loop struct {
	Name  string          `json:"name" wire:"strict"`
	Next  *loop           `json:"next"`
	All   []loop          `json:"all" wire:"records"`
	Named map[string]loop `json:"named"`
}

// TestWalk: a walk tells a tidy body from others, the caller's as its own, and
// ends within any text.
func TestWalk(t *testing.T) {
	page, self := reflect.TypeFor[recordPage](), reflect.TypeFor[loop]()
	for _, row := range []struct {
		body string
		of   reflect.Type
		tidy bool
	}{
		{`{}`, page, true},
		{` { "total" : 1 , "records" : [ { "id" : "a" , "lots" : 1 } , { } ] , "names" : [ "n" ] } `, page, true},
		{`{"records":[{"id":"a","id":"b"}]}`, page, true},
		{`{"records":[{"lots":1,"lots":1}]}`, page, false},
		{`{"records":[{"lots":1,"\u006cots":1}]}`, page, false},
		{`{"records":[{"lots":1,"Lots":1}]}`, page, false},
		{`{"records":[{"id":1,"ID":1}]}`, page, false},
		{`{"records":[{"LOTS":1}]}`, page, true},
		{`{"records":[{"LOTS":1,"Lots":1}]}`, page, false},
		{`{"total":1,"TOTAL":1}`, page, false},
		{`{"records":[null]}`, page, false},
		{`{"names":["a",null]}`, page, false},
		{`{"other":[null,{"lots":1,"lots":2}],"more":"\"]}"}`, page, true},
		{`{"next":{"next":{"name":"a","name":"b"}}}`, self, false},
		{`{"next":{"name":"a","next":{"name":"b"}},"name":"c"}`, self, true},
		{`{"named":{"x":{"name":"a"},"X":{"name":"b","name":"c"}}}`, self, false},
		{`{"named":{"x":{"name":"a"},"X":{"name":"b"}}}`, self, true},
		{`{"all":[{"all":[null]}]}`, self, false},
	} {
		body := []byte(row.body)
		require.Equal(t, row.tidy, tidy(new(Walk), body, row.of), row.body)
		require.Equal(t, row.tidy, tidy(walked(body, row.of), body, row.of), row.body)
		other := walked([]byte(`{"total":1,"total":2,"TOTAL":3}`), row.of)
		require.Equal(t, row.tidy, tidy(other, body, row.of), "a walk over another text")
		for n := range body {
			require.NotPanics(t, func() {
				tidy(new(Walk), body[:n], row.of)
				walked(body[:n], row.of)
			}, row.body[:n])
		}
		for i, broken := range body {
			for _, c := range []byte(`"{}[]:,\n `) {
				body[i] = c
				require.NotPanics(t, func() { tidy(new(Walk), body, row.of); walked(body, row.of) }, string(body))
			}
			body[i] = broken
		}
	}
}

// TestWalkAllocates nothing.
func TestWalkAllocates(t *testing.T) {
	body := []byte(`{"total":1,"records":[{"id":"a","lots":5,"tags":["x"],"inner":{"name":"n"}},{"id":"b"}]}`)
	of := reflect.TypeFor[recordPage]()
	require.True(t, tidy(new(Walk), body, of))
	require.Zero(t, testing.AllocsPerRun(100, func() {
		var w Walk
		tidy(&w, body, of)
	}))
}

// tidy has w go over a body, if it has not, and reports what it found.
func tidy(w *Walk, body []byte, of reflect.Type) bool {
	w.over(body, of)
	return w.isTidy()
}
