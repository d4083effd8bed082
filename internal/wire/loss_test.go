package wire

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
)

// record has fields that money hangs on, and others.
type record struct {
	ID     string                      `json:"id"`
	Lots   walletfi.Amount             `json:"lots"`
	Status string                      `json:"status" wire:"strict"`
	Price  walletfi.Decimal            `json:"price"`
	At     walletfi.Time               `json:"at"`
	Count  int                         `json:"count"`
	Small  int8                        `json:"small"`
	Flag   bool                        `json:"flag"`
	Ratio  float64                     `json:"ratio"`
	Tags   []string                    `json:"tags"`
	Bytes  []byte                      `json:"bytes"`
	Prices map[string]walletfi.Decimal `json:"prices"`
	Inner  struct {
		Name  string `json:"name"`
		Count int    `json:"count"`
	} `json:"inner"`
	Raw walletfi.Document `json:"-"`
}

type recordPage struct {
	Records []record `json:"records" wire:"records"`
	Total   int      `json:"total"`
	Names   []string `json:"names" wire:"records"`

	Raw walletfi.Document `json:"-"`
}

// TestDecodeLosesNothingElse: a value that does not fit leaves its field at zero, or with
// its text if that is a decimal; the rest as it came, and the record's JSON in Raw.
func TestDecodeLosesNothingElse(t *testing.T) {
	for member, values := range map[string][]string{
		"id":     {`{}`, `[1]`},
		"price":  {`"NaN"`, `"N/A"`, `{}`, `[1]`, `true`, `"1,5"`},
		"at":     {`"soon"`, `{}`, `"56804-01-01T00:00:00Z"`, `253402300800000000`, `true`},
		"count":  {`1.5`, `"many"`, `9223372036854775808`, `1e999999999`, `true`, `{}`, `[1]`},
		"small":  {`300`, `"300"`, `-129`},
		"flag":   {`2`, `"maybe"`, `{}`},
		"ratio":  {`"NaN"`, `{}`},
		"tags":   {`{"a":"b"}`, `"a"`, `[{}]`, `["a",[1]]`},
		"bytes":  {`"!"`, `7`, `{"a":1}`},
		"inner":  {`"x"`, `[1]`, `7`},
		"prices": {`"x"`, `[1]`, `7`},
	} {
		for _, value := range values {
			members := map[string]string{"id": `"r"`, "price": `1.5`, "at": `1700000000`, "count": `1`, "small": `1`, "flag": `true`, "ratio": `0.5`, "tags": `["a"]`,
				"bytes": `"AQ=="`, "inner": `{"name":"n","count":2}`, "prices": `{"a":1}`}
			members[member] = `null`
			want := new(record)
			require.NoError(t, Decode([]byte(recordText(members)), want))
			members[member] = value
			body := recordText(members)
			got := new(record)
			require.NoError(t, Decode([]byte(body), got), body)
			assert.Equal(t, body, got.Raw.String())
			want.Raw = walletfi.Document(body)
			if member == "price" {
				assert.False(t, got.Price.Valid())
				assert.Equal(t, strings.Trim(value, `"`), got.Price.String())
				got.Price = walletfi.Decimal{}
			}
			assert.Equal(t, want, got, body)
		}
	}
}

func recordText(members map[string]string) string {
	var b strings.Builder
	for _, name := range []string{"id", "price", "at", "count", "small", "flag", "ratio", "tags", "bytes", "inner", "prices"} {
		b.WriteString(`,"` + name + `":` + members[name])
	}
	return "{" + b.String()[1:] + ` , "lots" :"5","status":"ok"}`
}

// TestRawIsOfTheNearest: the struct around the loss keeps its JSON, no other.
func TestRawIsOfTheNearest(t *testing.T) {
	var page recordPage
	require.NoError(t, Decode([]byte(`{"total":1,"records":[{"id":"a"},{ "id":"b","inner":{"count":"x","name":"n"}},{"id":"c","prices":{"a":"NaN","b":2}}]}`), &page))
	assert.Nil(t, page.Raw)
	assert.Nil(t, page.Records[0].Raw)
	assert.Equal(t, `{ "id":"b","inner":{"count":"x","name":"n"}}`, page.Records[1].Raw.String())
	assert.Equal(t, "n", page.Records[1].Inner.Name)
	assert.Equal(t, `{"id":"c","prices":{"a":"NaN","b":2}}`, page.Records[2].Raw.String())
	assert.Equal(t, "NaN", page.Records[2].Prices["a"].String())
	assert.Equal(t, "2", page.Records[2].Prices["b"].String())

	page = recordPage{}
	body := `{"total":"many","records":[{"id":"a"}]}`
	require.NoError(t, Decode([]byte(body), &page))
	assert.Equal(t, body, page.Raw.String())
	assert.Nil(t, page.Records[0].Raw)
}

// TestUnreadRecords: a record that cannot be read is reported, and the others are
// as they came, wherever it is.
func TestUnreadRecords(t *testing.T) {
	bad := map[string]string{
		`null`:                          "null in place of a record",
		`7`:                             "number does not fit wire.record",
		`"x"`:                           "string does not fit wire.record",
		`[1]`:                           "array does not fit wire.record",
		`{"id":"x","lots":1.5}`:         "field lots: number does not fit walletfi.Amount",
		`{"lots":1,"lots":1}`:           "field lots: comes twice",
		`{"count":"N/A","status":{}}`:   "field status: object does not fit string",
		`{"lots":"x","inner":{"a":{}}}`: "field lots: string does not fit walletfi.Amount",
	}
	good := []string{`{"id":"a"}`, `{"id":"b","count":"5"}`, `{"id":"c","price":"N/A"}`}
	for raw, problem := range bad {
		for place := range 4 {
			all := append(append(append([]string{}, good[:place]...), raw), good[place:]...)
			var page recordPage
			err := Decode([]byte(`{"records" : [ `+strings.Join(all, " , ")+` ],"total":4}`), &page)
			var unread *walletfi.UnreadError
			require.ErrorAs(t, err, &unread, raw)
			require.Len(t, unread.Records, 1)
			r := unread.Records[0]
			assert.Equal(t, walletfi.RecordError{List: "records", Index: place, Raw: walletfi.Document(raw), Err: r.Err}, *r)
			assert.EqualError(t, r.Err, problem)
			require.Len(t, page.Records, 3, raw)
			assert.Equal(t, []string{"a", "b", "c"}, []string{page.Records[0].ID, page.Records[1].ID, page.Records[2].ID})
			assert.Equal(t, 5, page.Records[1].Count)
			assert.Equal(t, good[2], page.Records[2].Raw.String(), "the index of what is kept, not of what came")
			assert.Equal(t, 4, page.Total)
		}
	}

	var page recordPage
	err := Unmarshal([]byte(`{"records":[7,{"id":"a"},null,"x"],"names":[{},"n",null,5]}`), &page)
	require.ErrorIs(t, err, walletfi.ErrDecode)
	var unread *walletfi.UnreadError
	require.ErrorAs(t, err, &unread)
	require.Len(t, unread.Records, 5)
	assert.Equal(t, []record{{ID: "a"}}, page.Records)
	assert.Equal(t, []string{"n", "5"}, page.Names)
	assert.Equal(t, "names", unread.Records[4].List)
	assert.Equal(t, 2, unread.Records[4].Index)
	assert.EqualError(t, unread, "5 records could not be read: record records[0] could not be read: number does not fit wire.record")

	page = recordPage{}
	require.ErrorAs(t, Decode([]byte(`{"records":[null]}`), &page), &unread)
	assert.Equal(t, []record{}, page.Records)
	assert.EqualError(t, Decode([]byte(`{"records":"x"}`), &page), "field records: string does not fit []wire.record")
}

// TestNames: the name that is written as declared wins, wherever it is.
func TestNames(t *testing.T) {
	raw := func(text string) walletfi.Document { return walletfi.Document(text) }
	for body, want := range map[string]record{
		`{"id":"a","ID":"b"}`:                           {ID: "a"},
		`{"ID":"b","id":"a"}`:                           {ID: "a"},
		`{"Id":"c","ID":"b","id":"a","iD":"d"}`:         {ID: "a"},
		`{"ID":"b"}`:                                    {ID: "b"},
		`{"lots":5,"LOTS":6}`:                           {Lots: 5},
		`{"LOTS":6,"Lots":7,"lots":5}`:                  {Lots: 5},
		`{"lots":5,"Lots":"x"}`:                         {Lots: 5},
		`{"id":"a","id":"b"}`:                           {ID: "b", Raw: raw(`{"id":"a","id":"b"}`)},
		`{"tags":["a","b"],"tags":["c"]}`:               {Tags: []string{"c"}, Raw: raw(`{"tags":["a","b"],"tags":["c"]}`)},
		`{"tags":["a"],"Tags":null}`:                    {Tags: []string{"a"}},
		`{"prices":{"a":1,"A":2}}`:                      {Prices: map[string]walletfi.Decimal{"a": decimal(t, "1"), "A": decimal(t, "2")}},
		`{"status":"ok","\u0053tatus":"failed","x":{}}`: {Status: "ok"},
	} {
		var got record
		require.NoError(t, Decode([]byte(body), &got), body)
		assert.Equal(t, want, got, body)
		var page recordPage
		require.NoError(t, Decode([]byte(`{"records":[`+body+`]}`), &page), body)
		assert.Equal(t, []record{want}, page.Records, body)
	}
	for _, body := range []string{`{"status":"a","status":"a"}`, `{"Status":"a","STATUS":"b"}`, `{"lots":1,"lots":null}`} {
		require.ErrorContains(t, Decode([]byte(body), new(record)), "comes twice", body)
	}
}

func decimal(t *testing.T, text string) walletfi.Decimal {
	t.Helper()
	d, err := walletfi.NewDecimal(text)
	require.NoError(t, err)
	return d
}
