package wire

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/number"
)

// waiving is a Reporter that lets breaches of some members through.
type waiving []string

func (waiving) Member([]string, int, int, bool) {}

func (w waiving) Breach(b Breach) bool {
	for _, name := range w {
		if name == b.Name() {
			return true
		}
	}
	return false
}

type quoted struct {
	Price   walletfi.Decimal            `json:"price" wire:"said,min=0,max=1"`
	Units   *int                        `json:"units" wire:"decides,max=9"`
	Open    bool                        `json:"open" wire:"decides,optional"`
	At      walletfi.Time               `json:"at" wire:"decides,optional"`
	Seen    walletfi.Time               `json:"seen" wire:"free"`
	Size    walletfi.Amount             `json:"size" wire:"present"`
	Height  uint64                      `json:"height" wire:"decides,optional,min=1"`
	Rates   map[string]walletfi.Decimal `json:"rates" wire:"decides,optional"`
	Tx      walletfi.Base64Transaction  `json:"tx"`
	Name    string                      `json:"name" wire:"decides,optional"`
	Word    vocabulary                  `json:"word" wire:"decides,optional"`
	Words   []vocabulary                `json:"words" wire:"decides,optional"`
	Names   []string                    `json:"names" wire:"decides,optional"`
	Mint    string                      `json:"mint" wire:"key"`
	Sig     string                      `json:"sig" wire:"signature"`
	Keys    []string                    `json:"keys" wire:"key"`
	Sizes   []walletfi.Amount           `json:"sizes" wire:"decides"`
	Mints   []string                    `json:"mints" wire:"records,key"`
	Levels  []quoted                    `json:"levels" wire:"records"`
	Plain   []quoted                    `json:"plain"`
	Deep    *deep                       `json:"deep"`
	Markets map[string]*quoted          `json:"markets"`

	Cap    walletfi.Decimal `json:"cap" wire:"free,min=0"`
	Events *int             `json:"events" wire:"free,min=0"`

	Raw walletfi.Document `json:"-"`
}

type vocabulary string

type deep struct {
	Count int `json:"count" wire:"said"`
}

// TestBreach: an object whose own member decides and does not keep to its declaration is
// no answer, wherever in it the member is; what does not decide is read as ever.
func TestBreach(t *testing.T) {
	const key = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
	million := strings.Repeat("9", 1_000_000)
	for body, want := range map[string]string{
		`{"price":1,"units":"9","open":true,"size":1}`:                  "",
		`{"price":"0.0","units":-5,"size":0}`:                           "",
		`{"price":1e-7,"units":1,"size":0}`:                             "",
		`{"price":0,"units":1.0,"size":0}`:                              "",
		`{"size":1,"units":1}`:                                          "price missing",
		`{"price":null,"units":1,"size":1}`:                             "price missing",
		`{"price":0,"units":"","size":1}`:                               "",
		`{"price":0,"size":1}`:                                          "",
		`{"price":0,"units":1,"size":1,"deep":{}}`:                      "deep.count missing",
		`{"price":0,"units":1,"size":1,"deep":{"count":null}}`:          "deep.count missing",
		`{"price":0,"units":1,"size":1,"deep":{"count":0}}`:             "",
		`{"price":"half","units":1,"size":1}`:                           "price of another kind",
		`{"price":"50%","units":1,"size":1}`:                            "price of another kind",
		`{"price":"Infinity","units":1,"size":1}`:                       "price of another kind",
		`{"price":"+1","units":1,"size":1}`:                             "price of another kind",
		`{"price":{},"units":1,"size":1}`:                               "price of another kind",
		`{"price":0,"units":1.5,"size":1}`:                              "units of another kind",
		`{"price":0,"units":1e0,"size":1}`:                              "units of another kind",
		`{"price":0,"units":"+5","size":1}`:                             "units of another kind",
		`{"price":0,"units":".5","size":1}`:                             "units of another kind",
		`{"price":0,"units":"1,000","size":1}`:                          "units of another kind",
		`{"price":0,"units":" 5","size":1}`:                             "units of another kind",
		`{"price":0,"units":1,"size":1,"open":[1]}`:                     "open of another kind",
		`{"price":1.000000000000000001,"units":1,"size":1}`:             "price out of range",
		`{"price":1e99999999999999999999,"units":1,"size":1}`:           "price out of range",
		`{"price":0.` + million + `,"units":1,"size":1}`:                "price out of range",
		`{"price":"-1e-9","units":1,"size":1}`:                          "price out of range",
		`{"price":0,"units":10,"size":1}`:                               "units out of range",
		`{"price":0,"units":1,"size":1,"height":0}`:                     "height out of range",
		`{"price":1,"price":0,"units":1,"size":1}`:                      "price repeated",
		`{"price":1,"units":1,"size":1,"at":-1}`:                        "at out of range",
		`{"price":1,"units":1,"size":1,"at":0}`:                         "at out of range",
		`{"price":1,"units":1,"size":1,"at":6.5}`:                       "at out of range",
		`{"price":1,"units":1,"size":1,"at":9007199254740993}`:          "at out of range",
		`{"price":1,"units":1,"size":1,"at":"soon"}`:                    "at of another kind",
		`{"price":1,"units":1,"size":1,"at":1.7e9}`:                     "at of another kind",
		`{"price":1,"units":1,"size":1,"at":1700000000}`:                "",
		`{"price":1,"units":1,"size":1,"at":"9999-01-01"}`:              "",
		`{"price":1,"units":1,"size":1,"seen":-1}`:                      "",
		`{"price":1,"units":1,"size":1,"name":"n","names":["n",7]}`:     "",
		`{"price":1,"units":1,"size":1,"name":7}`:                       "",
		`{"price":1,"units":1,"size":1,"name":true}`:                    "name of another kind",
		`{"price":1,"units":1,"size":1,"name":{}}`:                      "name of another kind",
		`{"price":1,"units":1,"size":1,"names":["n",false]}`:            "names of another kind",
		`{"price":1,"units":1,"size":1,"tx":"AQ+/"}`:                    "",
		`{"price":"\u0030.5","units":"\u0035","size":"\u0031"}`:         "", // texts equal to "0.5", "5" and "1"
		`{"price":"\u0031.5","units":1,"size":1}`:                       "price out of range",
		`{"price":"\u0000","units":1,"size":1}`:                         "price of another kind",
		`{"price":1,"units":"\u0000","size":1}`:                         "units of another kind",
		`{"price":1,"units":1,"size":1,"word":"new","words":["a b"]}`:   "",
		`{"price":1,"units":1,"size":1,"word":"!!!"}`:                   "word of another kind",
		`{"price":1,"units":1,"size":1,"word":" "}`:                     "word of another kind",
		`{"price":1,"units":1,"size":1,"word":"\u0000"}`:                "word of another kind",
		`{"price":1,"units":1,"size":1,"words":["new","?"]}`:            "words of another kind",
		`{"price":1,"units":1,"size":1,"name":"a","name":"b"}`:          "name repeated",
		`{"price":1,"units":1,"size":1,"mint":"` + key + `"}`:           "",
		`{"price":1,"units":1,"size":1,"mint":null}`:                    "",
		`{"price":1,"units":1,"size":1,"mint":"!!!"}`:                   "mint of another kind",
		`{"price":1,"units":1,"size":1,"mint":7}`:                       "mint of another kind",
		`{"price":1,"units":1,"size":1,"mint":"` + key + key + `"}`:     "mint of another kind",
		`{"price":1,"units":1,"size":1,"sig":"` + key + key + `"}`:      "",
		`{"price":1,"units":1,"size":1,"sig":"` + key + `"}`:            "sig of another kind",
		`{"price":1,"units":1,"size":1,"keys":["` + key + `","six"]}`:   "keys of another kind",
		`{"price":1,"units":1,"size":1,"keys":[null]}`:                  "keys missing",
		`{"price":1,"units":1,"size":1,"sizes":[1,null]}`:               "sizes missing",
		`{"price":1,"units":1,"size":1,"plain":[{"size":1,"units":1}]}`: "plain[0].price missing",
		`{"price":1,"units":1,"size":1,"plain":[null]}`:                 "plain[0].price missing",
	} {
		var v quoted
		err := Decode([]byte(body), &v)
		if want == "" {
			require.NoError(t, err, body)
			continue
		}
		path, what, _ := strings.Cut(want, " ")
		name := path[strings.LastIndexByte(path, '.')+1:]
		member := "quoted." + name
		if strings.HasPrefix(path, "deep") {
			member = path
		}
		require.Error(t, err)
		said := strings.TrimSuffix(err.Error(), ` (wire:"said")`)
		require.Equal(t, "field "+path+": "+member+" decides, and is "+what, said, "%.80s", body)
		_, err = Read([]byte(body), new(quoted), 1, waiving{member})
		require.NoError(t, err, body)
		require.NoError(t, DecodeCreated([]byte(body), new(quoted)), body)
	}
	for _, tx := range []string{`"!!!"`, `"six"`, `"A==="`, `1234`, `true`} {
		require.ErrorContains(t, Decode([]byte(`{"price":1,"units":1,"size":1,"tx":`+tx+`}`), new(quoted)), "field tx", tx)
	}
}

// TestBreachOfARecord: the record is kept with its member invalid, its Raw says what came,
// and the breach is kept with it.
func TestBreachOfARecord(t *testing.T) {
	const whole = `{"price":1,"units":1,"size":1}`
	for member, list := range map[string]string{
		`"levels":[` + whole + `,{"price":"half","units":1.5,"size":7,"at":0}]`:                                          "levels",
		`"markets":{"a":` + whole + `,"b":{"price":"half","units":1.5,"size":7,"at":0}}`:                                 "markets.*",
		`"plain":[{"price":1,"units":1,"size":1,"levels":[` + whole + `,{"price":"half","units":1.5,"size":7,"at":0}]}]`: "plain.levels",
	} {
		var v quoted
		err := Decode([]byte(`{"price":1,"units":1,"size":1,`+member+`}`), &v)
		unread, ok := err.(*walletfi.UnreadError)
		require.True(t, ok, "%s: %v", member, err)
		require.Len(t, unread.Records, 1)
		record := unread.Records[0]
		require.True(t, record.Kept)
		require.Equal(t, list, record.List)
		require.Equal(t, 1, record.Index)
		require.ErrorContains(t, record, "quoted.price decides, and is of another kind")
		require.ErrorContains(t, record, "quoted.units decides")
		var broken quoted
		switch {
		case v.Markets != nil:
			broken = *v.Markets["b"]
		case v.Plain != nil:
			broken = v.Plain[0].Levels[1]
		default:
			broken = v.Levels[1]
		}
		require.Equal(t, walletfi.Amount(7), broken.Size)
		require.Equal(t, "half", broken.Price.String())
		require.False(t, broken.Price.Valid())
		require.Nil(t, broken.Units)
		require.True(t, broken.At.IsZero())
		if v.Markets == nil { // of a map, only the struct around has Raw
			require.JSONEq(t, string(record.Raw), string(broken.Raw))
		}
	}
}

// TestBreachOfAValue: a value of a map is a record too.
func TestBreachOfAValue(t *testing.T) {
	var v quoted
	err := Decode([]byte(`{"price":1,"units":1,"size":1,"rates":{"a":1,"b":"half","c":null}}`), &v)
	require.EqualError(t, err, "record rates.*[1]: field rates: quoted.rates decides, and is of another kind")
	require.ErrorIs(t, err, walletfi.ErrDecode)
	require.Equal(t, "half", v.Rates["b"].String())
	require.True(t, v.Rates["a"].Valid())
	require.True(t, v.Rates["c"].IsZero())
	err = Decode([]byte(`{"price":1,"units":1,"size":1,"mints":["`+strings.Repeat("a", 40)+`","six",null]}`), &v)
	unread, ok := err.(*walletfi.UnreadError)
	require.True(t, ok, "%v", err)
	require.Len(t, unread.Records, 2) // the null is left out
	require.ErrorContains(t, unread.Records[1], "quoted.mints decides, and is of another kind")
	require.Len(t, v.Mints, 2)
}

// TestUnmarshalWaiving: what comes outside of a call is held alike, and let through alike.
func TestUnmarshalWaiving(t *testing.T) {
	body := []byte(`{"price":"half","size":1}`)
	require.ErrorIs(t, Unmarshal(body, new(quoted)), walletfi.ErrDecode)
	require.ErrorIs(t, UnmarshalWaiving(body, new(quoted), waiving{"quoted.size"}.Breach), walletfi.ErrDecode)
	var v quoted
	require.NoError(t, UnmarshalWaiving(body, &v, waiving{"quoted.price"}.Breach))
	require.Equal(t, "half", v.Price.String())
}

// TestFreeTime: a time on which nothing hangs is no breach if no answer can have it, and no
// instant either.
func TestFreeTime(t *testing.T) {
	for text, year := range map[string]int{
		`-1`: 1, `0`: 1, `6.5`: 1, `"1970-01-01T00:00:00Z"`: 1, `9007199254740993`: 1, `1700000000`: 2023,
		`1767225e00`: 1, `"1.7e9"`: 1, `1767225600.5`: 2026,
	} {
		var v quoted
		require.NoError(t, Decode([]byte(`{"price":1,"units":1,"size":1,"seen":`+text+`}`), &v), text)
		require.Equal(t, year, v.Seen.Year(), text)
		require.Equal(t, year == 1, v.Raw != nil, text)
	}
}

// TestNull: null is an answer where it may be one, and nothing else that says nothing is.
func TestNull(t *testing.T) {
	type market struct {
		Last walletfi.Decimal `json:"last" wire:"said,null,min=0,max=1"`
		Size uint64           `json:"size" wire:"present,null"`
	}
	for body, want := range map[string]string{
		`{"last":null,"size":null}`:  "",
		`{"last":0.5,"size":1}`:      "",
		`{"size":1}`:                 `market.last decides, and is missing (wire:"said")`,
		`{"last":"","size":1}`:       `market.last decides, and is missing (wire:"said")`,
		`{"last":"null","size":1}`:   "market.last decides, and is of another kind",
		`{"last":null}`:              "size: must be there, and is missing",
		`{"last":null,"size":"six"}`: "size",
	} {
		var m market
		err := Decode([]byte(body), &m)
		if want == "" {
			require.NoError(t, err, body)
			require.Equal(t, body == `{"last":null,"size":null}`, m.Last.IsZero())
			continue
		}
		require.ErrorContains(t, err, want, body)
	}
}

// TestFreeBounds: a number on which nothing hangs is none if it is out of its bounds, and Raw has it.
func TestFreeBounds(t *testing.T) {
	for _, row := range []struct {
		text string
		fits bool
	}{{`-1`, false}, {`"-0.5"`, false}, {`-1e400`, false}, {`0`, true}, {`"12.5"`, true}, {`1e3`, true}} {
		var v quoted
		require.NoError(t, Decode([]byte(`{"price":1,"units":1,"size":1,"cap":`+row.text+`}`), &v), row.text)
		require.Equal(t, row.fits, !v.Cap.IsZero(), row.text)
		require.Equal(t, row.fits, v.Raw == nil, row.text)
	}
	var v quoted
	require.NoError(t, Decode([]byte(`{"price":1,"units":1,"size":1,"events":-1}`), &v))
	require.Nil(t, v.Events)
	require.NotNil(t, v.Raw)
}

// TestBoundsByDigits: the digits before the point say of bounds the same as an exact
// comparison, and they say it of the numbers that are met every day.
func TestBoundsByDigits(t *testing.T) {
	held := 0
	for _, low := range []string{"", "0", "0.5", "1", "10", "1000"} {
		for _, high := range []string{"", "0", "0.9", "1", "10", "99.5", "18446744073709551615"} {
			var tag Tag
			if low != "" {
				tag.Min = walletfi.MustDecimal(low)
			}
			if high != "" {
				tag.Max = walletfi.MustDecimal(high)
			}
			b := boundsOf(tag)
			for _, text := range []string{
				"0", "0.0", "0.4", "0.5", "0.91", "1", "1.0001", "9.99", "10", "10.5", "99.4", "99.6", "100", "999", "1000",
				"18446744073709551615", "18446744073709551616", "9999999999999999999", "10000000000000000000",
			} {
				digits, isPlain := number.Whole(text)
				require.True(t, isPlain)
				if b.holdAll(digits) {
					held++
					require.True(t, b == nil || b.hold(walletfi.MustDecimal(text)), "%s in [%s, %s]", text, low, high)
				}
			}
		}
	}
	require.Greater(t, held, 100)
	price := boundsOf(Tag{Min: walletfi.MustDecimal("0"), Max: walletfi.MustDecimal("1")})
	require.True(t, price.holdAll(0))
	require.False(t, price.holdAll(1), "1.5 has a digit too")
}
