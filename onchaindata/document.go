package onchaindata

import (
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

var (
	listAnswer   = transport.Says("data:items|data:object")
	recordAnswer = transport.Says("data.id:id|data:list", "data.attributes:object|data:list")
)

// document is an answer whose records have the attributes A.
type document[A any] struct {
	Data     wire.Many[resource[A]] `json:"data" wire:"strict"`
	Included wire.Many[related]     `json:"included"`
}

// reads makes the reader of a page, or of the answer for a single record: set gets its
// document, and the answer as it came.
func reads[P, A any](set func(p *P, doc *document[A], raw walletfi.Document) error) {
	wire.Reader(func(s *wire.Scanner, p *P) error {
		var doc document[A]
		from := s.Offset()
		if err := wire.Value(s, &doc); err != nil {
			return err
		}
		for _, record := range s.Unread() {
			if _, list, inside := strings.Cut(record.List, "attributes."); inside {
				record.List = list // of the page's own items
			}
		}
		doc.tellRelations(s)
		return set(p, &doc, s.Kept(from))
	})
}

// tellRelations tells of a record that names others without an id.
func (d *document[A]) tellRelations(s *wire.Scanner) {
	for i := range d.Data.Items() {
		if d.Data.Items()[i].Relationships.nameNothing() {
			wire.Tell[relation](s, "data", wire.OfNoKind)
		}
	}
}

// records returns the attributes of each record, with what fill sets of the rest.
func (d *document[A]) records(fill func(*A, *resource[A])) []A {
	if len(d.Data.Items()) == 0 {
		return nil
	}
	list := make([]A, len(d.Data.Items()))
	for i := range list {
		list[i] = d.Data.Items()[i].Attributes
		fill(&list[i], &d.Data.Items()[i])
	}
	return list
}

// resource is a record of JSON:API.
type resource[A any] struct {
	ID            string        `json:"id" wire:"strict,identity"`
	Type          string        `json:"type"`
	Attributes    A             `json:"attributes" wire:"strict,said"`
	Relationships relationships `json:"relationships"`

	Raw walletfi.Document `json:"-" wire:"raw"` // the record as it came
}

// relationships are the related records that this service names.
type relationships struct {
	BaseToken  relation `json:"base_token"`
	QuoteToken relation `json:"quote_token"`
	DEX        relation `json:"dex"`
	TopPools   relation `json:"top_pools"`
}

// nameNothing reports whether one of them names a record without an id.
func (r *relationships) nameNothing() bool {
	return slices.ContainsFunc([]relation{r.BaseToken, r.QuoteToken, r.DEX, r.TopPools}, func(r relation) bool {
		return slices.ContainsFunc(r.Data.Items(), func(one reference) bool { return one.ID == "" })
	})
}

type relation struct {
	Data wire.Many[reference] `json:"data"`
}

type reference struct {
	ID   string `json:"id"`
	Type string `json:"type"`
}

// id returns the id of the first record that r names, "" if there is none.
func (r relation) id() string {
	if len(r.Data.Items()) == 0 {
		return ""
	}
	return r.Data.Items()[0].ID
}

func (r relation) ids() []string {
	var ids []string
	for _, ref := range r.Data.Items() {
		ids = append(ids, ref.ID)
	}
	return ids
}
