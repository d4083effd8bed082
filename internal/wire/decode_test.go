package wire

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
)

type level string

type part struct {
	Mint   string          `json:"mint"`
	Amount walletfi.Amount `json:"amount"`
}

// sample has a field of every kind that the services' types are made of.
type sample struct {
	Name   string            `json:"name"`
	Level  level             `json:"level"`
	Note   *string           `json:"note"`
	Flag   bool              `json:"flag"`
	Count  int               `json:"count"`
	Small  int8              `json:"small"`
	Slot   uint64            `json:"slot"`
	Ratio  float64           `json:"ratio"`
	Lots   walletfi.Amount   `json:"lots"`
	Quoted walletfi.Amount   `json:"quoted"`
	Fee    *uint64           `json:"fee"`
	Price  walletfi.Decimal  `json:"price"`
	At     walletfi.Time     `json:"at"`
	Doc    walletfi.Document `json:"doc"`
	Raw    json.RawMessage   `json:"raw"`
	Any    any               `json:"any"`
	Inner  part              `json:"inner"`
	Ptr    *part             `json:"ptr"`
	Parts  []part            `json:"parts"`
	Pair   [2]string         `json:"pair"`
	Bytes  []byte            `json:"bytes"`
	Tags   []string          `json:"tags"`
	Sizes  map[string]int    `json:"sizes"`
	ByMint map[string]part   `json:"byMint"`
}

func TestDecodeStrict(t *testing.T) {
	body := `{"name":"a","level":"new-one","note":null,"flag":true,"count":-3,"small":-128,"slot":18446744073709551615,
		"ratio":0.25,"lots":"18446744073709551615","quoted":"7","fee":"0","price":1.50,"at":1700000000,"doc":{ "a" : 1 },
		"raw":[1, 2],"inner":{"mint":"m","amount":0},"parts":[{"amount":1}],
		"pair":["x","y"],"bytes":"AQI=","tags":[],"sizes":{"a":1},"unknown":{"deep":[1]}}`
	var got sample
	require.NoError(t, Decode([]byte(body), &got))
	assert.Equal(t, level("new-one"), got.Level)
	assert.Equal(t, uint64(math.MaxUint64), got.Slot)
	assert.Equal(t, walletfi.Amount(math.MaxUint64), got.Lots)
	assert.Equal(t, walletfi.Amount(7), got.Quoted)
	assert.Equal(t, new(uint64(0)), got.Fee)
	assert.Equal(t, "1.50", got.Price.String())
	assert.Equal(t, `{ "a" : 1 }`, got.Doc.String())
	assert.Equal(t, []byte{1, 2}, got.Bytes)
	assert.NotNil(t, got.Tags)
}

// TestEmptyObjectForAList: an empty object is no empty list. It is of another kind, as any object is.
func TestEmptyObjectForAList(t *testing.T) {
	for _, body := range []string{`{"parts":{}}`, `{"parts":{ }}`, `{"lists":{}}`, `{"many":{}}`, `{"records":{}}`, `{"bytes":{}}`} {
		var got struct {
			Parts   []part     `json:"parts"`
			Lists   *[]part    `json:"lists"`
			Records []part     `json:"records" wire:"records"`
			Bytes   []byte     `json:"bytes" wire:"strict"`
			Many    [][]string `json:"many" wire:"strict"`
		}
		require.ErrorContains(t, Decode([]byte(body), &got), "object does not fit", body)
	}
	var kept struct {
		Tags []string          `json:"tags"`
		Pair [2]int            `json:"pair"`
		Raw  walletfi.Document `json:"-"`
	}
	for _, body := range []string{`{"tags":{}}`, `{"tags":{ }}`, `{"pair":{}}`} {
		kept.Raw = nil
		require.NoError(t, Decode([]byte(body), &kept))
		require.Nil(t, kept.Tags)
		require.Equal(t, body, kept.Raw.String(), "what hangs on nothing is lost, and kept as it came")
	}
}

func TestDecodeLenient(t *testing.T) {
	tests := []struct {
		name, body string
		want       sample
	}{
		{"number as text", `{"name":12345678901234567890.50}`, sample{Name: "12345678901234567890.50"}},
		{"bool as text", `{"name":true,"level":false}`, sample{Name: "true", Level: "false"}},
		{"number as optional text", `{"note":7}`, sample{Note: new("7")}},
		{"numbers in a list of texts", `{"tags":[1,"b",null,false]}`, sample{Tags: []string{"1", "b", "", "false"}}},
		{"nulls beside a mismatch", `{"name":1,"flag":null,"count":null,"lots":null,"inner":null,"parts":null}`, sample{Name: "1"}},
		{"bools", `{"flag":"true"}`, sample{Flag: true}},
		{"bool as 1", `{"flag":1}`, sample{Flag: true}},
		{"bool as 0", `{"flag":0,"name":1}`, sample{Name: "1"}},
		{"bool as false text", `{"flag":"false","name":1}`, sample{Name: "1"}},
		{"quoted numbers", `{"count":"12","slot":"18446744073709551615","ratio":"0.5"}`, sample{Count: 12, Slot: math.MaxUint64, Ratio: 0.5}},
		{"integral numbers", `{"count":5.0,"slot":1e2,"small":"-1.20e1"}`, sample{Count: 5, Slot: 100, Small: -12}},
		{"escapes in quoted numbers", `{"name":1,"count":"\u0031\u0032","lots":"\u0037","quoted":"\u0038"}`, sample{
			Name: "1", Count: 12, Lots: 7, Quoted: 8,
		}},
		{"minus nothing", `{"slot":-0}`, sample{}},
		{"empty texts", `{"count":"","slot":"","ratio":"","flag":"","lots":"","quoted":"","fee":"","name":"x"}`, sample{Name: "x"}},
		{"unquoted where quotes are due", `{"quoted":7,"fee":0}`, sample{Quoted: 7, Fee: new(uint64(0))}},
		{"amount beside a mismatch", `{"name":1,"lots":"18446744073709551615"}`, sample{Name: "1", Lots: math.MaxUint64}},
		{"empty list for an object", `{"inner":[],"ptr":[ ],"sizes":[],"byMint":[]}`, sample{}},
		{"deep", `{"parts":[{"mint":1,"amount":"2"},{"mint":"x"}],"byMint":{"k\u0041":{"mint":3}},"sizes":{"a":"4"}}`, sample{
			Parts: []part{{"1", 2}, {"x", 0}}, ByMint: map[string]part{"kA": {Mint: "3"}}, Sizes: map[string]int{"a": 4},
		}},
		{"echoed bytes stay", `{"name":1,"doc":{"name": 1, "e":1e2 },"raw":[ "12" ],"any":[1]}`, sample{
			Name: "1", Doc: walletfi.Document(`{"name": 1, "e":1e2 }`), Raw: json.RawMessage(`[ "12" ]`), Any: []any{1.0},
		}},
		{"key in another case", `{"NAME":1}`, sample{Name: "1"}},
		{"escaped key", `{"n\u0061me":1}`, sample{Name: "1"}},
		{"strings with brackets and quotes", `{"tags":["]}\"\\",1],"x":"\\"}`, sample{Tags: []string{`]}"\`, "1"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			body := []byte(tt.body)
			var got sample
			require.NoError(t, Decode(body, &got))
			assert.Equal(t, tt.want, got)
			assert.Equal(t, tt.body, string(body), "the answer itself is not changed")
		})
	}
}

func TestDecodeFieldErrors(t *testing.T) {
	tests := []struct{ name, body, want string }{
		{"fraction of a lamport", `{"lots":1.5}`, "field lots: number does not fit walletfi.Amount"},
		{"fraction in quotes", `{"lots":"1.5"}`, "field lots: string does not fit walletfi.Amount"},
		{"negative amount", `{"lots":-1}`, "field lots: number does not fit walletfi.Amount"},
		{"exponent", `{"lots":1e3}`, "field lots: number does not fit walletfi.Amount"},
		{"integral fraction", `{"lots":5.0}`, "field lots: number does not fit walletfi.Amount"},
		{"amount too large", `{"lots":18446744073709551616}`, "field lots: number does not fit walletfi.Amount"},
		{"amount as bool", `{"lots":true}`, "field lots: bool does not fit walletfi.Amount"},
		{"amount as list", `{"lots":[]}`, "field lots: array does not fit walletfi.Amount"},
		{"strict in quotes too", `{"quoted":1.5}`, "field quoted: number does not fit walletfi.Amount"},
		{"deep amount", `{"parts":[{},{"amount":1.5}]}`, "field parts[1].amount: number does not fit walletfi.Amount"},
		{"map's key is not shown", `{"byMint":{"topsecret":{"amount":"x"}}}`, "field byMint.*.amount: string does not fit walletfi.Amount"},
		{"object as text", `{"inner":"topsecret"}`, "field inner: string does not fit wire.part"},
		{"full list for an object", `{"inner":[1]}`, "field inner: array does not fit wire.part"},
		{"an amount twice", `{"lots":1,"lots":2}`, "field lots: comes twice"},
		{"an amount twice, the same", `{"parts":[{"amount":1,"mint":"m","amount":1}]}`, "field parts[0].amount: comes twice"},
		{"an amount twice, in other cases", `{"LOTS":1,"Lots":2}`, "field lots: comes twice"},
		{"top", `"topsecret"`, "string does not fit wire.sample"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := Decode([]byte(tt.body), new(sample))
			require.EqualError(t, err, tt.want)
			assert.NotContains(t, err.Error(), "topsecret")
		})
	}
}

func TestDecodeRefusesWhatIsNotJSON(t *testing.T) {
	tests := []struct {
		name, body string
		want       error
	}{
		{"nothing", "", ErrEmpty},
		{"white space", " \r\n", ErrEmpty},
		{"truncated object", `{"name":"a"`, ErrTruncated},
		{"truncated text", `{"name":"a`, ErrTruncated},
		{"truncated before a mismatch", `{"name":1`, ErrTruncated},
		{"page", `<html>topsecret</html>`, ErrSyntax},
		{"trailing", `{} {}`, ErrSyntax},
		{"trailing after a mismatch", `{"name":1} x`, ErrSyntax},
		{"NaN", `{"ratio":NaN}`, ErrSyntax},
		{"invalid UTF-8", "{\"name\":\"\xff\"}", ErrUTF8},
		{"too deep", strings.Repeat("[", 20000) + strings.Repeat("]", 20000), ErrSyntax},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := Decode([]byte(tt.body), new(sample))
			require.ErrorIs(t, err, tt.want)
			assert.NotContains(t, err.Error(), "topsecret")
		})
	}
}

func TestDecodeIntoOtherTargets(t *testing.T) {
	var list []part
	require.NoError(t, Decode([]byte(`[{"mint":5}]`), &list))
	assert.Equal(t, []part{{Mint: "5"}}, list)

	var amount walletfi.Amount
	require.NoError(t, Decode([]byte(` "12" `), &amount))
	assert.Equal(t, walletfi.Amount(12), amount)
	assert.EqualError(t, Decode([]byte(`1.5`), &amount), "number does not fit walletfi.Amount")

	var doc walletfi.Document
	require.NoError(t, Decode([]byte(` {"a": 1} `), &doc))
	assert.Equal(t, `{"a": 1}`, doc.String())

	var ptr *part
	require.NoError(t, Decode([]byte(`{"mint":5}`), &ptr))
	assert.Equal(t, &part{Mint: "5"}, ptr)
	require.NoError(t, Decode([]byte(`null`), &ptr))
	assert.Nil(t, ptr)

	assert.Error(t, Decode([]byte(`{}`), part{}), "not a pointer")
}

func TestDecodeEmbedded(t *testing.T) {
	type deep struct {
		ID   string `json:"id"`
		Kind string `json:"kind"`
	}
	type Base struct {
		deep
		Kind int    `json:"kind"`
		Who  string `json:"who"`
	}
	var got struct {
		Base
		Own  string `json:"-"`
		Last string `json:",omitempty"`
	}
	require.NoError(t, Decode([]byte(`{"id":1,"kind":"2","who":3,"Last":4,"-":5,"Own":6}`), &got))
	assert.Equal(t, "1", got.ID)
	assert.Equal(t, 2, got.Base.Kind)
	assert.Equal(t, "3", got.Base.Who)
	assert.Equal(t, "4", got.Last)
	assert.Empty(t, got.Own)
}

// whole keeps its bytes beside what it decodes, as a service's type may.
type whole struct {
	part
	kept string
}

func (w *whole) UnmarshalJSON(b []byte) error {
	w.kept = string(b)
	return Unmarshal(b, &w.part)
}

func TestUnmarshalWithinACustomType(t *testing.T) {
	var got struct{ List []whole }
	require.NoError(t, Decode([]byte(`{"List":[{"mint": 5}]}`), &got))
	assert.Equal(t, "5", got.List[0].Mint)
	assert.Equal(t, `{"mint": 5}`, got.List[0].kept)

	err := Decode([]byte(`{"List":[{"amount":1.5}]}`), &got)
	assert.EqualError(t, err, "field List[0].amount: number does not fit walletfi.Amount")
}

func TestUnmarshalErrors(t *testing.T) {
	err := Unmarshal([]byte(`{"mint":`), new(part))
	assert.ErrorIs(t, err, walletfi.ErrDecode)
	assert.ErrorIs(t, err, ErrTruncated)

	err = Unmarshal([]byte(`{}`), &struct {
		Token string `json:"token" wire:"required"`
	}{})
	assert.ErrorIs(t, err, walletfi.ErrDecode)
	assert.EqualError(t, err, "response not understood: field token: required, and missing (wire:\"required\")")
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"name":"a","lots":"1","price":1.5,"doc":{"a": 1},"parts":[{"mint":1}]}`,
		`{"name":1,"count":"5.0","flag":"true","tags":{},"inner":[],"sizes":{"a":"1"}}`,
		`{"lots":1e3,"quoted":7,"fee":"","small":300}`, `{"at":"2024-01-01","raw":[ 1 ],"any":{"x":null}}`,
		`[]`, `""`, `nul`, `{"NAME":{"a":"]}\""},"pair":[1,2,3],"bytes":[1,2]}`, "{\"name\":\"\xff\"}", `{"n\u0061me":0}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		before := string(body)
		var want, got sample
		strict, err := json.Unmarshal(body, &want), Decode(body, &got)
		require.Equal(t, before, string(body))
		if strict == nil && err != ErrUTF8 {
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
		if err != nil {
			return
		}
		for _, kept := range [][]byte{got.Doc, got.Raw} {
			require.Contains(t, before, string(kept), "echoed bytes are as they came")
		}
		again, err := json.Marshal(got)
		require.NoError(t, err)
		var second sample
		require.NoError(t, Decode(again, &second), "what was read reads back: %s", again)
		require.Equal(t, got.Lots, second.Lots)
	})
}

func benchmarkBody() []byte {
	var b strings.Builder
	b.WriteString(`{"name":"pool","level":"high","flag":true,"count":3,"slot":312345678,"lots":"123456789","price":"1.2345","parts":[`)
	for i := range 100 {
		fmt.Fprintf(&b, `{"mint":"So11111111111111111111111111111111111111112","amount":%d},`, i)
	}
	return []byte(strings.TrimSuffix(b.String(), ",") + `]}`)
}

func BenchmarkDecode(b *testing.B) {
	body := benchmarkBody()
	drifted := []byte(strings.Replace(string(body), `"pool"`, `1`, 1))
	b.Run("encoding-json", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			require.NoError(b, json.Unmarshal(body, new(sample)))
		}
	})
	b.Run("decode", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			require.NoError(b, Decode(body, new(sample)))
		}
	})
	b.Run("decode-drifted", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			require.NoError(b, Decode(drifted, new(sample)))
		}
	})
}
