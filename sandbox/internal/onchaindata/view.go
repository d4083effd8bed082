package onchaindata

import (
	"net/http"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// view has the time, the shape and the options of an answer.
type view struct {
	*Service
	shape
	at      int64 // Unix seconds
	include []string

	community   bool // what the community thinks of a pool
	composition bool // what a pool holds
	breakdown   bool // volumes by side
	inactive    bool // prices from pools that no longer trade
}

// The seconds between two refreshes. Candles and trades have no delay.
const (
	refresh         = 10
	trendingRefresh = 30
)

// view is that of the latest refresh.
func (b *Service) view(c *kit.Call, refresh int64) *view {
	now := b.Now().Unix()
	return &view{Service: b, shape: shape(c.Shape(Shapes)), at: now - now%refresh}
}

// including reads a list of what to include. A value that is undocumented for
// the route is a violation.
func (v *view) including(c *kit.Call, list, otherwise string, allowed ...string) error {
	if list == "" {
		list = otherwise
	}
	if list == "" {
		return nil
	}
	v.include = strings.Split(list, ",")
	for i, name := range v.include {
		if !slices.Contains(allowed, name) || slices.Contains(v.include[:i], name) {
			c.Violate("include names " + name + ", which is unknown here or a repetition")
			return kit.Refuse(http.StatusBadRequest, "", "include %s is not known", name)
		}
	}
	return nil
}

// poolIncludes is what a pool may be asked to bring along.
var poolIncludes = []string{"base_token", "quote_token", "dex"}

// page cuts a page out of a list. The demo tier has ten of them.
func page[T any](c *kit.Call, page *int, all []T) ([]T, error) {
	const size, most = 20, 10
	number := 1
	if page != nil {
		number = *page
	}
	if c.Host != pro && number > most {
		c.Violate("a page beyond the demo tier's last")
		return nil, kit.Refuse(http.StatusBadRequest, "", "the demo tier has %d pages", most)
	}
	from := min((number-1)*size, len(all))
	return all[from:min(from+size, len(all))], nil
}

// addresses splits a list of addresses, whose commas are not escaped. If most
// is 0, any number is allowed.
func addresses(c *kit.Call, list string, most int) ([]string, error) {
	all := strings.Split(list, ",")
	raw := c.Request.URL.EscapedPath()
	last := raw[strings.LastIndexByte(raw, '/')+1:]
	switch {
	case strings.Count(last, ",") != len(all)-1:
		c.Violate("the commas between the addresses are escaped")
		return nil, kit.Refuse(http.StatusBadRequest, "", "addresses are separated by commas")
	case slices.Contains(all, ""):
		c.Violate("an empty address in a list")
		return nil, kit.Refuse(http.StatusBadRequest, "", "an address is empty")
	case most > 0 && len(all) > most:
		c.Violate("more addresses in a list than the tier takes")
		return nil, kit.Refuse(http.StatusBadRequest, "", "at most %d addresses", most)
	}
	return all, nil
}

// document is a whole answer: the data and what was asked to come along.
func (v *view) document(data any, included []any) map[string]any {
	d := map[string]any{"data": data}
	if len(v.include) > 0 && (len(included) > 0 || v.shape != sparse) {
		d["included"] = v.list(included)
	}
	if v.shape == retyped {
		d["meta"] = map[string]any{"generated_at": stamp(v.at)} // unknown to all
	}
	return d
}

// reference points at a resource.
func reference(kind, id string) map[string]any {
	return map[string]any{"data": map[string]any{"id": id, "type": kind}}
}

// resource is a resource as an answer holds it.
func resource(kind, id string, attributes map[string]any) map[string]any {
	return map[string]any{"id": id, "type": kind, "attributes": attributes}
}
