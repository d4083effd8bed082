package onchaindata

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

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
		d["included"] = list(included)
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

// kind is how an answer is written. What is not documented comes in each of them
// in turn.
type kind int

const (
	plain   kind = iota
	retyped      // with undocumented members; with drift, prices are numbers and counts strings
	sparse       // what has no value is left out
)

// shape is a kind with or without the known deviations of live answers from the
// documented types: see Config.Drift.
type shape struct {
	kind  kind
	drift bool
}

const Shapes = 3

// exact writes all digits of a number, 70 and more for a small number, so that
// it is read back exactly.
func exact(x float64) string {
	text := strconv.FormatFloat(x, 'f', 120, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// dollars writes millionths of a dollar.
func dollars(micros int64) string {
	return strconv.FormatInt(micros/1e6, 10) + "." + strconv.FormatInt(1e6+micros%1e6, 10)[1:]
}

// text writes what is documented as a string.
func (s shape) text(number string) any {
	if s.kind == retyped && s.drift {
		return json.Number(number)
	}
	return number
}

func (s shape) price(x float64) any { return s.text(exact(x)) }

// dollars writes an amount that is rounded to four places.
func (s shape) dollars(x float64) any { return s.text(strconv.FormatFloat(x, 'f', 4, 64)) }

// percent is a null if there is nothing to compare with.
func (s shape) percent(x float64, known bool) any {
	if !known {
		return nil
	}
	if math.Abs(x) < 0.0005 {
		x = 0 // otherwise it is written as -0
	}
	return s.text(strconv.FormatFloat(x, 'f', 3, 64))
}

// count writes what is documented as a number.
func (s shape) count(n int64) any {
	if s.kind == retyped && s.drift {
		return strconv.FormatInt(n, 10)
	}
	return n
}

// words writes a text, or null if it is unknown.
func (s shape) words(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// attributes drops members without a value if the shape says so, also one level
// down.
func (s shape) attributes(all map[string]any) map[string]any {
	if s.kind != sparse {
		return all
	}
	for name, value := range all {
		switch v := value.(type) {
		case nil:
			delete(all, name)
		case map[string]any:
			s.attributes(v)
		}
	}
	return all
}

// list is never null.
func list(items []any) []any {
	if items == nil {
		return []any{}
	}
	return items
}

func stamp(second int64) string { return time.Unix(second, 0).UTC().Format(time.RFC3339) }
