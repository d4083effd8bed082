package wire

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
)

type breaches []string

func (*breaches) Member([]string, int, int, bool) {}

func (b *breaches) Breach(one Breach) { *b = append(*b, one.Member+" "+string(one.What)) }

// TestBreach: what decides and does not keep to its declaration is reported, and read as
// ever.
func TestBreach(t *testing.T) {
	type level struct {
		Price   walletfi.Decimal  `json:"price" wire:"decides,min=0,max=1"`
		Units   *int              `json:"units" wire:"decides,max=9"`
		Open    bool              `json:"open" wire:"decides,optional"`
		At      walletfi.Time     `json:"at" wire:"free"`
		Size    walletfi.Amount   `json:"size" wire:"present"`
		Markets map[string]*level `json:"markets"`
	}
	for name, row := range map[string]struct {
		body string
		want breaches
	}{
		"as declared":     {`{"price":1,"units":"9","open":true,"size":1}`, nil},
		"at the bounds":   {`{"price":"0.0","units":-5,"size":0}`, nil},
		"missing":         {`{"size":1,"price":0.5}`, breaches{"units missing"}},
		"null":            {`{"price":null,"units":"","size":1}`, breaches{"price missing", "units missing"}},
		"of another kind": {`{"price":"half","units":1.5,"open":[1],"at":"x","size":1}`, breaches{"price of another kind", "units of another kind", "open of another kind"}},
		"out of range":    {`{"price":1.000000000000000001,"units":10,"size":1}`, breaches{"price out of range", "units out of range"}},
		"below":           {`{"price":"-1e-9","units":1,"size":1}`, breaches{"price out of range"}},
		"repeated":        {`{"price":1,"price":0,"units":1,"at":1,"at":2,"size":1}`, breaches{"price repeated"}},
		"within":          {`{"price":1,"units":1,"size":1,"markets":{"a":{"price":2,"size":1}}}`, breaches{"price out of range", "units missing"}},
		"refused":         {`{"price":1,"units":1}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got breaches
			var v, alone level
			_, err := Read([]byte(row.body), &v, 1, &got)
			require.Equal(t, row.want, got)
			require.Equal(t, Decode([]byte(row.body), &alone), err)
			require.Equal(t, alone, v)
			require.Equal(t, name == "refused", err != nil)
		})
	}
}
