package wire

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"

	"github.com/walletfi/walletfi-go/internal/race"
)

// nested reads itself, at each depth, as the records of services do that keep their
// JSON.
type nested struct {
	Name  string            `json:"name"`
	Count int               `json:"count"`
	Done  bool              `json:"done"`
	List  []nested          `json:"list"`
	Raw   walletfi.Document `json:"-"`
}

// decoded counts the objects that were read.
var decoded int

func (n *nested) UnmarshalJSON(b []byte) error {
	type fields nested
	decoded++
	n.Raw = Keep(b)
	return Decode(b, (*fields)(n))
}

// plain has the same members and no decoder of its own.
type plain struct {
	Name  string  `json:"name"`
	Count int     `json:"count"`
	Done  bool    `json:"done"`
	List  []plain `json:"list"`
}

// drifts are members as documented, and as they drift.
var drifts = map[string]string{
	"documented":     `"name":"abc","count":5,"done":true`,
	"other types":    `"name":123,"count":"5","done":"1"`,
	"a fraction":     `"name":"abc","count":5.0,"done":0`,
	"empty texts":    `"name":"abc","count":"","done":""`,
	"undocumented":   `"name":"abc","x":{"Name":[1,{}],"y":"\u0061"},"count":5,"done":true`,
	"more of a name": `"name":"abc","Name":"d","count":5,"done":true`,
}

func nestedOf(members string, depth int) []byte {
	return []byte(strings.Repeat(`{`+members+`,"list":[`, depth) + strings.Repeat(`]}`, depth))
}

// TestDriftAtAnyDepth: a record that drifted is read as often as one that did not, at
// each depth. Its allocations are at most twice as many.
func TestDriftAtAnyDepth(t *testing.T) {
	for name, members := range drifts {
		for depth := 1; depth <= 8; depth++ {
			body, clean := nestedOf(members, depth), nestedOf(drifts["documented"], depth)
			for kind, read := range map[string]func([]byte){
				"own":   func(b []byte) { require.NoError(t, Decode(b, new(nested))) },
				"plain": func(b []byte) { require.NoError(t, Decode(b, new(plain))) },
			} {
				decoded = 0
				read(clean)
				want := decoded
				decoded = 0
				read(body)
				require.Equal(t, want, decoded, "%s at depth %d, %s", name, depth, kind)
				costs := func(b []byte) float64 { return testing.AllocsPerRun(3, func() { read(b) }) }
				base := costs(clean)
				if got := costs(body); got > race.Factor*(2*base+12) {
					t.Errorf("%s at depth %d, %s: %v allocations, %v without drift", name, depth, kind, got, base)
				}
			}
		}
	}
}

// TestDriftGrowsWithTheBody: a list of so many drifted records takes as many
// allocations a record, whatever their number.
func TestDriftGrowsWithTheBody(t *testing.T) {
	type page struct {
		List []nested `json:"list" wire:"records"`
	}
	for name, members := range drifts {
		var each []float64
		for _, n := range []int{100, 200, 400, 800} {
			one := "{" + members + `,"list":[]},`
			body := []byte(`{"list":[` + strings.TrimSuffix(strings.Repeat(one, n), ",") + `]}`)
			all := testing.AllocsPerRun(2, func() { require.NoError(t, Decode(body, new(page))) })
			each = append(each, math.Log2(all))
		}
		require.LessOrEqual(t, (each[3]-each[0])/3, 1.2, "%s: the exponent", name)
	}
}
