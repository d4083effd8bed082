package onchaindata

import (
	"bytes"
	"errors"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/lenient"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// many is a JSON:API member that holds an array, a single record or null.
type many[T any] struct {
	items  []T
	unread []*walletfi.RecordError // elements of the array
}

// UnmarshalJSON reads any of the three.
func (m *many[T]) UnmarshalJSON(b []byte) error {
	*m = many[T]{}
	if bytes.HasPrefix(b, []byte("{")) {
		one := new(T)
		if err := lenient.Unmarshal(b, one); err != nil {
			return err
		}
		m.items = []T{*one}
		return nil
	}
	err := lenient.DecodeList(b, &m.items)
	m.unread = unreadOf(err)
	if lenient.Usable(err) {
		return nil
	}
	return err
}

// unreadOf returns the records that could not be read.
func unreadOf(err error) []*walletfi.RecordError {
	if e, ok := errors.AsType[*walletfi.UnreadError](err); ok {
		return e.Records
	}
	return nil
}

var (
	listAnswer       = transport.Says("data:list|data:object")
	undocumentedList = transport.Says("data:list|data:object|data:null")
	recordAnswer     = transport.Says("data.id:id|data:list", "data.attributes:object|data:list")
)

// document is an answer whose records have the attributes A.
type document[A any] struct {
	Data     many[resource[A]] `json:"data" wire:"strict"`
	Included many[related]     `json:"included"`
}

// UnmarshalJSON reports the records that cannot be read.
func (d *document[A]) UnmarshalJSON(b []byte) error {
	type fields document[A]
	if err := lenient.Decode(b, (*fields)(d)); err != nil {
		return err
	}
	unread := d.Data.unread
	for _, r := range unread {
		r.List = "data"
	}
	for i := range d.Data.items {
		unread = append(unread, d.Data.items[i].unread...)
	}
	for _, r := range d.Included.unread {
		r.List = "included"
		unread = append(unread, r)
	}
	if len(unread) == 0 {
		return nil
	}
	return &walletfi.UnreadError{Records: unread}
}

// records returns what build makes of each record.
func (d *document[A]) records(build func(*resource[A]) A) []A {
	var list []A
	for i := range d.Data.items {
		list = append(list, build(&d.Data.items[i]))
	}
	return list
}

// resource is a record of JSON:API.
type resource[A any] struct {
	ID            string        `json:"id" wire:"strict"`
	Type          string        `json:"type"`
	Attributes    A             `json:"attributes" wire:"strict"`
	Relationships relationships `json:"relationships"`

	raw    walletfi.Document
	unread []*walletfi.RecordError // of a list in the attributes
}

// UnmarshalJSON keeps the record as it came.
func (r *resource[A]) UnmarshalJSON(b []byte) error {
	type fields resource[A]
	err := lenient.Decode(b, (*fields)(r))
	r.raw, r.unread = lenient.Keep(b), unreadOf(err)
	for _, record := range r.unread {
		record.List = strings.TrimPrefix(record.List, "attributes.")
	}
	if lenient.Usable(err) {
		return nil
	}
	return err
}

// relationships are the related records that this service names.
type relationships struct {
	BaseToken  relation `json:"base_token"`
	QuoteToken relation `json:"quote_token"`
	DEX        relation `json:"dex"`
	TopPools   relation `json:"top_pools"`
}

type relation struct {
	Data many[reference] `json:"data"`
}

type reference struct {
	ID   string `json:"id"`
	Type string `json:"type"`
}

// id returns the id of the first record that r names, "" if there is none.
func (r relation) id() string {
	if len(r.Data.items) == 0 {
		return ""
	}
	return r.Data.items[0].ID
}

func (r relation) ids() []string {
	var ids []string
	for _, ref := range r.Data.items {
		ids = append(ids, ref.ID)
	}
	return ids
}
