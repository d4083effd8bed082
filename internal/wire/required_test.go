package wire

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
)

type built struct {
	Transaction walletfi.Base64Transaction `json:"transaction" wire:"required"`
	Note        string                     `json:"note"`
}

type tree struct {
	Signature string  `json:"signature" wire:"required"`
	Children  []*tree `json:"children"`
}

type plainTree struct {
	Name     string       `json:"name"`
	Children []*plainTree `json:"children"`
}

func TestMissing(t *testing.T) {
	ok := built{Transaction: "AQ=="}
	tests := []struct {
		name string
		v    any
		want string // path, empty where nothing is Missing
	}{
		{"present", &ok, ""},
		{"text", &built{Note: "n"}, "transaction"},
		{"value, not a pointer", built{}, "transaction"},
		{"slice element", &[]built{ok, {}}, "[1].transaction"},
		{"empty slice of them", &[]built{}, ""},
		{"in a field", &struct {
			Result struct {
				Items []built `json:"items"`
			} `json:"result"`
		}{struct {
			Items []built `json:"items"`
		}{[]built{{}}}}, "result.items[0].transaction"},
		{"behind a pointer", &struct{ Data *built }{&built{}}, "Data.transaction"},
		{"behind a nil pointer that is optional", &struct{ Data *built }{}, ""},
		{"nil pointer that is required", &struct {
			Data *built `json:"data" wire:"required"`
		}{}, "data"},
		{"map value", &map[string]built{"topsecret": {}}, "*.transaction"},
		{"embedded", &struct{ built }{}, "transaction"},
		{"embedded nil pointer", &struct{ *Promoted }{}, "id"},
		{"recursive", &tree{Signature: "a", Children: []*tree{{Signature: "b"}, nil, {}}}, "children[2].signature"},
		{"slice", &struct {
			All []string `json:"all" wire:"required"`
		}{[]string{}}, "all"},
		{"map", &struct {
			All map[string]int `json:"all" wire:"required"`
		}{}, "all"},
		{"pointer to empty", &struct {
			Token *string `wire:"required"`
		}{new("")}, "Token"},
		{"document", &struct {
			Quote walletfi.Document `json:"quote" wire:"required"`
		}{}, "quote"},
		{"decimal of no value", &struct {
			Price walletfi.Decimal `json:"price" wire:"required"`
		}{}, "price"},
		{"time", &struct {
			At walletfi.Time `json:"at" wire:"required"`
		}{}, "at"},
		{"number", &struct {
			Height uint64 `json:"height" wire:"required"`
		}{}, "height"},
		{"interface", &struct {
			Data any `json:"data" wire:"required"`
		}{}, "data"},
		{"bool cannot be", &struct {
			Yes bool `wire:"required"`
		}{}, ""},
		{"not of JSON", &struct {
			Own string `json:"-" wire:"required"`
		}{}, ""},
		{"nil", nil, ""},
		{"nil pointer", (*built)(nil), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := Missing(tt.v)
			if tt.want == "" {
				require.NoError(t, err)
				return
			}
			require.EqualError(t, err, "field "+tt.want+": required, and missing (wire:\"required\")")
		})
	}
}

// Promoted is exported so that encoding/json can make one.
type Promoted struct {
	ID string `json:"id" wire:"required"`
}

func TestMissingAfterDecode(t *testing.T) {
	price, err := walletfi.NewDecimal("0")
	require.NoError(t, err)
	require.NoError(t, Missing(&struct {
		Price walletfi.Decimal `wire:"required"`
	}{price}), "a value of 0 is a value")

	for _, body := range []string{`{}`, `{"transaction":null}`, `{"transaction":""}`} {
		var got built
		require.NoError(t, Decode([]byte(body), &got))
		assert.Error(t, Missing(&got), body)
	}
	var got built
	require.NoError(t, Decode([]byte(`{"transaction":"AQ==","note":7}`), &got))
	assert.NoError(t, Missing(&got))
}

func TestHasRequired(t *testing.T) {
	assert.True(t, hasRequired(reflect.TypeFor[*[]map[string]built]()))
	assert.True(t, hasRequired(reflect.TypeFor[tree]()))
	assert.False(t, hasRequired(reflect.TypeFor[plainTree]()))
	assert.False(t, hasRequired(reflect.TypeFor[walletfi.Document]()))
	assert.False(t, hasRequired(reflect.TypeFor[any]()))
}

func BenchmarkMissingWithoutTags(b *testing.B) {
	v := &sample{}
	b.ReportAllocs()
	for b.Loop() {
		if Missing(v) != nil {
			b.Fatal("nothing is required")
		}
	}
}
