package onchaindata

import (
	"bytes"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// many is a JSON:API member that holds an array, a single record or null.
type many[T any] []T

// UnmarshalJSON reads any of the three.
func (m *many[T]) UnmarshalJSON(b []byte) error {
	*m = nil
	if bytes.HasPrefix(b, []byte("{")) {
		one := new(T)
		if err := transport.Unmarshal(b, one); err != nil {
			return err
		}
		*m = many[T]{*one}
		return nil
	}
	var list []T
	if err := transport.Unmarshal(b, &list); err != nil {
		return err
	}
	*m = list
	return nil
}

// listAnswer, undocumentedList and recordAnswer are what an answer must say. A record
// can come alone for a list, and in a list of its own. Of the answers whose shape
// is not documented, only the member is known.
var (
	listAnswer       = transport.Says("data:list|data:object")
	undocumentedList = transport.Says("data:list|data:object|data:null")
	recordAnswer     = transport.Says("data.id:id|data:list", "data.attributes:object|data:list")
)

// document is an answer whose records have the attributes A.
type document[A any] struct {
	Data     many[resource[A]] `json:"data"`
	Included many[related]     `json:"included"`
}

// records returns what build makes of each record. It leaves out a null.
func (d *document[A]) records(build func(*resource[A]) A) []A {
	var list []A
	for i := range d.Data {
		if r := &d.Data[i]; !r.none() {
			list = append(list, build(r))
		}
	}
	return list
}

// resource is a record of JSON:API.
type resource[A any] struct {
	ID            string        `json:"id"`
	Type          string        `json:"type"`
	Attributes    A             `json:"attributes"`
	Relationships relationships `json:"relationships"`

	raw walletfi.Document
}

// UnmarshalJSON keeps the record as it came.
func (r *resource[A]) UnmarshalJSON(b []byte) error {
	type fields resource[A]
	r.raw = transport.Keep(b)
	return transport.Decode(b, (*fields)(r))
}

func (r *resource[A]) none() bool { return string(r.raw) == "null" }

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
	if len(r.Data) == 0 {
		return ""
	}
	return r.Data[0].ID
}

func (r relation) ids() []string {
	var ids []string
	for _, ref := range r.Data {
		ids = append(ids, ref.ID)
	}
	return ids
}
