package jsonscan

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
)

type (
	inner struct {
		Count int    `json:"count"`
		Text  string `json:"text"`
	}
	colour string
	shaped struct {
		Text   string           `json:"text"`
		Colour colour           `json:"Colour"`
		Price  walletfi.Decimal `json:"price"`
		At     walletfi.Time    `json:"at"`
		Slot   uint64           `json:"slot"`
		List   []string         `json:"list"`
		Inner  inner            `json:"inner"`
		Own    *int             `json:"own"`
		Left   string           `json:"-"`

		hidden string //lint:ignore U1000 a Shape leaves out what encoding/json does
	}
)

var shape = New[shaped](Refuse("bad"), Reader(func(s *Scanner, into **int) {
	*into = new(int)
	s.Count(*into)
}))

func TestShape(t *testing.T) {
	const body = `{"text":"t","other":{"text":1},"Colour":"red","price":"1.5","at":"2026-01-02T03:04:05Z","slot":7,"list":["a"],"inner":{"text":"u","count":3,"x":[]},"own":9,"hidden":"h","-":"l"}`
	var got, want shaped
	require.True(t, Scan([]byte(body), func(s *Scanner) { shape.Read(s, &got) }))
	require.NoError(t, json.Unmarshal([]byte(body), &want))
	require.Equal(t, want, got)
	require.Equal(t, shaped{
		Text: "t", Colour: "red", Price: got.Price, At: walletfi.Time{Time: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)},
		Slot: 7, List: []string{"a"}, Inner: inner{3, "u"}, Own: new(9),
	}, got)
	require.Equal(t, "1.5", got.Price.String())

	for _, body := range []string{
		`{"bad":1}`, `{"BAD":1}`, `{"Text":"t"}`, `{"colour":"red"}`, `{"text":"a","text":"b"}`, `{"inner":[]}`, `{"inner":{"Count":1}}`, `{"":1,"text":1}`, `[]`, `null`,
	} {
		assert.False(t, Scan([]byte(body), func(s *Scanner) { shape.Read(s, new(shaped)) }), body)
	}
	for _, body := range []string{`{}`, `{"":1}`, `{"inner":null}`, `{"text":null,"slot":null}`} {
		var got shaped
		assert.True(t, Scan([]byte(body), func(s *Scanner) { shape.Read(s, &got) }), body)
		assert.Zero(t, got, body)
	}
}

// A field that no reader fits is found when the program starts, not when its
// value is missed.
func TestShapeOfUnknownType(t *testing.T) {
	type number struct {
		F float64 `json:"f"`
	}
	type untagged struct{ F string }
	type quoted struct {
		F int `json:"f,string"`
	}
	type amount struct {
		F walletfi.Document `json:"f"`
	}
	assert.PanicsWithValue(t, "jsonscan: jsonscan.number.F: a float64 has no reader", func() { New[number]() })
	assert.PanicsWithValue(t, "jsonscan: jsonscan.untagged.F needs a json tag with a name and without options", func() { New[untagged]() })
	assert.Panics(t, func() { New[quoted]() })
	assert.Panics(t, func() { New[amount]() })
}

// Names that share a slot are told apart.
func TestShapeOfManyMembers(t *testing.T) {
	fields := make([]reflect.StructField, tableSize/2)
	for i := range fields {
		fields[i] = reflect.StructField{
			Name: fmt.Sprintf("F%d", i), Type: reflect.TypeFor[int](), Tag: reflect.StructTag(fmt.Sprintf(`json:"member_%02d_of_many"`, i)),
		}
	}
	m := membersOf(reflect.StructOf(fields), &settings{})
	slots := map[uint32]bool{}
	for i, f := range fields {
		name := f.Tag.Get("json")
		at, known := m.find(name)
		require.True(t, known)
		require.Equal(t, name, m.table[at].name)
		require.Equal(t, uintptr(8*i), m.table[at].offset)
		slots[slot(name)] = true
	}
	require.Less(t, len(slots), len(fields), "no two names share a slot: the test shows nothing")
	for _, name := range []string{"member_99_of_many", ""} {
		_, known := m.find(name)
		require.False(t, known, name)
	}
	fields = append(fields, reflect.StructField{Name: "G", Type: reflect.TypeFor[int](), Tag: `json:"g"`})
	require.Panics(t, func() { membersOf(reflect.StructOf(fields), &settings{}) })
}

// TestWhole: each member must be there, and not null.
func TestWhole(t *testing.T) {
	type pair struct {
		Name  string `json:"name"`
		Count int    `json:"count"`
	}
	whole, free := New[pair](Whole()), New[pair]()
	for body, want := range map[string]bool{
		`{"name":"","count":0}`: true, `{"x":null,"count":0,"name":"a"}`: true,
		`{"name":"a"}`: false, `{"count":0}`: false, `{}`: false, `{"name":null,"count":0}`: false, `{"name":"a","count":null}`: false,
	} {
		require.Equal(t, want, Scan([]byte(body), func(s *Scanner) { whole.Read(s, new(pair)) }), body)
		require.True(t, Scan([]byte(body), func(s *Scanner) { free.Read(s, new(pair)) }), body)
	}
}
