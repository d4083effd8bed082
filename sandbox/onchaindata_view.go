package sandbox

import (
	"net/http"
	"slices"
	"strings"
)

// onchainView is what one answer shows: as of when, in which shape, with what.
type onchainView struct {
	*onchain
	onchainShape
	at      int64 // Unix seconds
	include []string

	community   bool // what the community thinks of a pool
	composition bool // what a pool holds
	breakdown   bool // volumes by side
	inactive    bool // prices from pools that no longer trade
}

// The seconds between two refreshes. Candles and trades are of the very
// present.
const (
	onchainRefresh         = 10
	onchainTrendingRefresh = 30
)

// view is that of the latest refresh.
func (b *onchain) view(c *call, refresh int64) *onchainView {
	now := b.now().Unix()
	return &onchainView{onchain: b, onchainShape: onchainShape(c.shape(onchainShapes)), at: now - now%refresh}
}

// including reads a list of what to include. Anything that is not documented
// for the route is the client's fault.
func (v *onchainView) including(c *call, list, otherwise string, allowed ...string) error {
	if list == "" {
		list = otherwise
	}
	if list == "" {
		return nil
	}
	v.include = strings.Split(list, ",")
	for i, name := range v.include {
		if !slices.Contains(allowed, name) || slices.Contains(v.include[:i], name) {
			c.violate("include names " + name + ", which is unknown here or a repetition")
			return refuse(http.StatusBadRequest, "", "include %s is not known", name)
		}
	}
	return nil
}

// onchainPoolIncludes is what a pool may be asked to bring along.
var onchainPoolIncludes = []string{"base_token", "quote_token", "dex"}

// onchainPage cuts a page out of a list. The demo tier has ten of them.
func onchainPage[T any](c *call, page *int, all []T) ([]T, error) {
	const size, most = 20, 10
	number := 1
	if page != nil {
		number = *page
	}
	if c.host != onchainPro && number > most {
		c.violate("a page beyond the demo tier's last")
		return nil, refuse(http.StatusBadRequest, "", "the demo tier has %d pages", most)
	}
	from := min((number-1)*size, len(all))
	return all[from:min(from+size, len(all))], nil
}

// onchainAddresses splits a list of addresses, whose commas are not escaped.
// A most of 0 is none.
func onchainAddresses(c *call, list string, most int) ([]string, error) {
	all := strings.Split(list, ",")
	raw := c.request.URL.EscapedPath()
	last := raw[strings.LastIndexByte(raw, '/')+1:]
	switch {
	case strings.Count(last, ",") != len(all)-1:
		c.violate("the commas between the addresses are escaped")
		return nil, refuse(http.StatusBadRequest, "", "addresses are separated by commas")
	case slices.Contains(all, ""):
		c.violate("an empty address in a list")
		return nil, refuse(http.StatusBadRequest, "", "an address is empty")
	case most > 0 && len(all) > most:
		c.violate("more addresses in a list than the tier takes")
		return nil, refuse(http.StatusBadRequest, "", "at most %d addresses", most)
	}
	return all, nil
}

// document is a whole answer: the data and what was asked to come along.
func (v *onchainView) document(data any, included []any) map[string]any {
	d := map[string]any{"data": data}
	if len(v.include) > 0 && (len(included) > 0 || v.onchainShape != onchainSparse) {
		d["included"] = v.list(included)
	}
	if v.onchainShape == onchainRetyped {
		d["meta"] = map[string]any{"generated_at": onchainTime(v.at)} // unknown to all
	}
	return d
}

// onchainReference points at a resource.
func onchainReference(kind, id string) map[string]any {
	return map[string]any{"data": map[string]any{"id": id, "type": kind}}
}

// onchainResource is a resource as an answer holds it.
func onchainResource(kind, id string, attributes map[string]any) map[string]any {
	return map[string]any{"id": id, "type": kind, "attributes": attributes}
}
