package jsonscan

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
)

// sample has one field of each kind that is read into.
type sample struct {
	Price walletfi.Decimal `json:"price"`
	Count int              `json:"count"`
	At    walletfi.Time    `json:"at"`
	Tags  []string         `json:"tags"`
}

func (v *sample) scan(s *Scanner) {
	for more := s.Open('{'); more; more = s.Next('{') {
		switch name := s.Key(); name {
		case "price":
			s.Decimal(&v.Price)
		case "count":
			s.Count(&v.Count)
		case "at":
			s.Time(&v.At)
		case "tags":
			s.Strings(&v.Tags)
		default:
			s.OtherLower(name)
		}
	}
}

func TestFields(t *testing.T) {
	noon := walletfi.Time{Time: time.Date(2024, 3, 5, 12, 0, 0, 0, time.UTC)}
	for body, want := range map[string]sample{
		`{"price":null,"count":null,"at":null,"tags":null}`:     {},
		`{"price":"","count":0,"at":"","tags":[]}`:              {Tags: []string{}},
		`{"count":999999999999999999,"new_member":{"Old":1}}`:   {Count: 999_999_999_999_999_999},
		`{"at":1709640000,"tags":["c"]}`:                        {At: noon, Tags: []string{"c"}},
		`{"at":"20240305T120000Z","tags":["d"]}`:                {At: noon, Tags: []string{"d"}},
		`{"at":"2024-03-05T12:00:00Z","tags":["a", "b\u0063"]}`: {At: noon, Tags: []string{"a", "bc"}},
	} {
		var got sample
		require.True(t, Scan([]byte(body), got.scan), body)
		assert.Equal(t, want, got, body)
	}
	for _, body := range []string{`{"price":-0.5e3}`, `{"price":"-0.5e3"}`} {
		var got sample
		require.True(t, Scan([]byte(body), got.scan), body)
		require.Equal(t, "-0.5e3", got.Price.String(), body)
	}
}

func TestFieldsGiveUp(t *testing.T) {
	for _, body := range []string{
		`{"price":"1 "}`, `{"price":"1}`, `{"price":01}`, `{"price":true}`, `{"price":1,"price":2}`,
		`{"count":-1}`, `{"count":1.0}`, `{"count":1e3}`, `{"count":01}`, `{"count":"1"}`, `{"count":1000000000000000000}`, `{"count":1,"count":2}`,
		`{"at":"soon"}`, `{"at":true}`, `{"at":1e30}`, `{"at":"2024-03-05T12:00:00\u005a"}`, `{"at":"2024-03-05T12:00:00Z","at":null}`,
		`{"tags":[1]}`, `{"tags":"a"}`, `{"tags":[],"tags":[]}`,
		`{"Price":1}`, `{"newMember":1}`, `{"priſe":1}`, `{"pri\u0063e":1,"price":2}`,
	} {
		assert.False(t, Scan([]byte(body), new(sample).scan), body)
	}
}

// TestOffset: Since and Rest return the bytes of the body.
func TestOffset(t *testing.T) {
	var value, rest string
	body := []byte(` {"a": [1, {"b":2}] , "c":3}`)
	require.True(t, Scan(body, func(s *Scanner) {
		s.Open('{')
		s.Key()
		start := s.Offset()
		s.Skip()
		value, rest = string(s.Since(start)), string(s.Rest())
		require.Equal(t, len(s.Since(start)), cap(s.Since(start)), "an append would write into the body")
		s.Next('{')
		s.Key()
		s.Skip()
		s.Next('{')
	}))
	require.Equal(t, `[1, {"b":2}]`, value)
	require.Equal(t, ` , "c":3}`, rest)
}

// FuzzFields holds the fields that are read to what encoding/json reads.
func FuzzFields(f *testing.F) {
	for _, seed := range []string{
		`{"price":"1.5","count":7,"at":"2024-03-05T12:00:00.25Z","tags":["a"]}`, `{"price":1e400,"x":{"y":[]}}`, `{"at":"2024-03-05T12:00:00+05:30"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var got, want sample
		if !Scan(body, got.scan) {
			return
		}
		require.NoError(t, json.Unmarshal(body, &want))
		require.Equal(t, want, got)
	})
}

func TestDecimalOf(t *testing.T) {
	decimal := reflect.TypeFor[walletfi.Decimal]()
	require.Equal(t, 1, decimal.NumField())
	require.Equal(t, reflect.TypeFor[string](), decimal.Field(0).Type)
	for _, text := range []string{"0", "-1.50", "2e-9", "123456789012345678901234567890"} {
		want, err := walletfi.NewDecimal(text)
		require.NoError(t, err)
		require.Equal(t, want, decimalOf(text))
	}
}

// Every byte, at every place of a string, is what it is.
func TestASCII(t *testing.T) {
	for length := range 20 {
		for place := range length {
			for c := range 256 {
				text := []byte(strings.Repeat("a", length) + `"`)
				text[place] = byte(c)
				got, end := ASCII(append([]byte{'"'}, text...), 0)
				switch {
				case c == '"':
					require.Equal(t, place+2, end)
					require.Len(t, got, place)
				case c == '\\' || c < ' ' || c > 127:
					require.Equal(t, None, end, "%q", text)
				default:
					require.Equal(t, len(text)+1, end)
					require.Equal(t, string(text[:length]), string(got))
				}
			}
		}
	}
}
