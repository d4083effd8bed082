package onchaindata

import (
	"cmp"
	"fmt"
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

// view is that of the latest refresh. A price that is set is seen at once.
func (b *Service) view(c *kit.Call, refresh int64) *view {
	now := b.Now().Unix()
	return &view{Service: b, shape: shape{kind(c.Shape(Shapes)), b.Config.Drift}, at: max(now-now%refresh, b.moved)}
}

// including reads a list of what to include. Where the documentation shows no
// values, an unknown one adds nothing.
func (v *view) including(list, otherwise string) {
	list = cmp.Or(list, otherwise)
	if list != "" {
		v.include = strings.Split(list, ",")
	}
}

// pageSize is how many items a page has, demoPages how many pages the demo tier
// has.
const (
	pageSize  = 20
	demoPages = 10
)

// page cuts a page out of a list.
func page[T any](number *int, all []T) []T {
	from := 0
	if number != nil {
		from = min(*number-1, len(all)) * pageSize
	}
	return kit.Page(all, from, nil, pageSize)
}

// paged is the input of a list that comes in pages.
type paged struct {
	_    struct{} `rule:"page is at most 10 on the demo tier"`
	Page *int     `query:"page" min:"1"`
}

func (in paged) Problems(c *kit.Call) []string {
	if c.Host != pro && in.Page != nil && *in.Page > demoPages {
		return []string{fmt.Sprintf("a page beyond the %d of the demo tier", demoPages)}
	}
	return nil
}

// document is a whole answer: the data and what was asked to come along.
func (v *view) document(data any, included []any) map[string]any {
	d := map[string]any{"data": data}
	if len(v.include) > 0 && (len(included) > 0 || v.kind != sparse) {
		d["included"] = v.list(included)
	}
	if v.kind == retyped {
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
