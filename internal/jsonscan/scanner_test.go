package jsonscan

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// note is read by hand and by encoding/json alike.
type note struct {
	Text string          `json:"text"`
	Raw  json.RawMessage `json:"raw"`
	List []string        `json:"list"`
}

func (n *note) scan(s *Scanner) {
	var slab Slab[string]
	for more := s.Open('{'); more; more = s.Next('{') {
		switch name := s.Key(); name {
		case "text":
			s.String(&n.Text)
		case "raw":
			if n.Raw != nil {
				s.Fail()
			}
			n.Raw = json.RawMessage(s.Scalar())
		case "list":
			if n.List != nil {
				s.Fail()
			}
			if s.Null() {
				continue
			}
			list := slab.Begin()
			for more := s.Open('['); more; more = s.Next('[') {
				list = slab.Extend(list)
				s.String(&list[len(list)-1])
			}
			n.List = slab.End(list)
		default:
			s.Other(name, "text", "raw", "list")
		}
	}
}

func TestScan(t *testing.T) {
	for body, want := range map[string]note{
		`{}`:                         {},
		" { \"text\" :\t\"a\" }\r\n": {Text: "a"},
		`{"text":"a\u00e9\n\"b"}`:    {Text: "aé\n\"b"},
		`{"text":null,"list":null}`:  {},
		`{"list":[]}`:                {List: []string{}},
		`{"list":[ "a" , null,"longer than eight bytes"]}`: {List: []string{"a", "", "longer than eight bytes"}},
		`{"raw":-1.5e3,"text":"x"}`:                        {Raw: json.RawMessage("-1.5e3"), Text: "x"},
		`{"raw":"q"}`:                                      {Raw: json.RawMessage(`"q"`)},
		`{"o":{"Text":[1,{"\u0061":"\t"},true,false,null,{},[]]},"p":-0}`: {},
	} {
		var got note
		require.True(t, Scan([]byte(body), got.scan), body)
		assert.Equal(t, want, got, body)
	}
}

func TestScanGivesUp(t *testing.T) {
	for _, body := range []string{
		``, ` `, `null`, `[]`, `{`, `{"text"`, `{"text":`, `{"text":"a"`, `{"text":"a",}`, `{"text" "a"}`, `{,}`,
		`{"text":1}`, `{"text":tru}`, `{"text":"a`, "{\"text\":\"a\x01\"}", `{"text":"\x"}`, `{"text":"a\`,
		`{"text":"a","text":"b"}`, `{"Text":"a"}`, `{"te\u0078t":"a","text":"b"}`, "{\"te\xffxt\":1}", `{"liſt":1}`, `{"te\q":1}`,
		`{"raw":{}}`, `{"raw":true}`, `{"raw":"\n"}`, `{"raw":01}`, `{"raw":.5}`, `{"raw":1.}`,
		`{"list":{}}`, `{"list":[1]}`, `{"list":["a"}`, `{"list":["a",]}`,
		`{"o":nul}`, `{"o":"\x"}`, `{"o":{"\x":1}}`, `{"o":{"a" 1}}`, `{"o":+1}`, `{"o":[1 2]}`,
		`{} {}`, `{}x`, "\x00{}", "\v{}",
		`{"o":` + strings.Repeat("[", maxSkipDepth+1) + strings.Repeat("]", maxSkipDepth+1) + `}`,
	} {
		assert.False(t, Scan([]byte(body), new(note).scan), body)
	}
}

func TestSlabListsAreApart(t *testing.T) {
	var slab Slab[int]
	var lists [][]int
	for n := range 60 {
		list := slab.Begin()
		for i := range n {
			list = slab.Extend(list)
			require.Zero(t, list[i])
			list[i] = 100*n + i
		}
		lists = append(lists, slab.End(list))
	}
	for n, list := range lists {
		require.NotNil(t, list)
		require.Len(t, list, n)
		require.Equal(t, len(list), cap(list), "an append would write into the next list")
		for i, v := range list {
			require.Equal(t, 100*n+i, v)
		}
	}
}

// FuzzScan holds what the scanner takes to what encoding/json makes of it.
func FuzzScan(f *testing.F) {
	for _, seed := range []string{
		`{"text":"a","raw":1,"list":["b",null],"other":{"x":[1,2.5e-3,"\u00ff"]}}`,
		`{"TEXT":"a"}`, `{"text":"\ud800"}`, `{"raw":"12345678"}`, ` {"list" : [ ] } `, `{"o":[[[[]]]],"text":"12345678\\"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var got, want note
		if !Scan(body, got.scan) {
			return
		}
		require.NoError(t, json.Unmarshal(body, &want))
		require.Equal(t, want, got)
	})
}

// Unknown members at the top that can make a refusal of an answer are refused, in any
// case; those of the same name further down are passed over.
func TestSignsOfRefusal(t *testing.T) {
	type other struct {
		ID string `json:"id"`
	}
	type known struct {
		Status string `json:"status"`
		Other  other  `json:"other"`
	}
	knows, lower, mixed := New[known](), New[other](), New[other](Refuse("X"))
	for _, name := range []string{"success", "error", "errors", "status", "Success", "ERROR", "ſtatuſ"} {
		body := []byte(`{"id":"a","` + name + `":false}`)
		for _, shape := range []*Shape[other]{lower, mixed} {
			require.False(t, Scan(body, func(s *Scanner) { shape.Read(s, new(other)) }), name)
			inside := Scan([]byte(`[[],{},`+string(body)+`]`), func(s *Scanner) {
				for more := s.Open('['); more; more = s.Next('[') {
					if s.Peek() == '[' {
						s.Skip()
						continue
					}
					shape.Read(s, new(other))
				}
			})
			require.True(t, inside || shape == lower && name != strings.ToLower(name), name)
		}
	}
	for body, want := range map[string]bool{
		`{"status":"a","state":1,"success_rate":1,"errand":2,"other":{"status":1,"error":{}}}`: true,
		`{"other":{"id":"a"},"error":1}`: false, `{"other":{"x":[{}]},"status":"a","success":true}`: false,
	} {
		require.Equal(t, want, Scan([]byte(body), func(s *Scanner) { knows.Read(s, new(known)) }), body)
	}
}

// TestAllPlain looks at each byte value at each place of a word and of a rest.
func TestAllPlain(t *testing.T) {
	for length := range 40 {
		text := []byte(strings.Repeat("\x7fa ~", 10))[:length]
		require.True(t, allPlain(text))
		for at := range text {
			for c := range 256 {
				changed := append([]byte{}, text...)
				changed[at] = byte(c)
				want := c >= ' ' && c < 0x80 && c != '\\'
				require.Equal(t, want, allPlain(changed), "%q", changed)
			}
		}
	}
}

// TestOrderOfMembers: what a shape expects changes nothing that it reads.
func TestOrderOfMembers(t *testing.T) {
	type three struct {
		A string `json:"a"`
		B string `json:"b"`
		C string `json:"c"`
	}
	shape := New[three]()
	for _, body := range []string{
		`{"a":"1","b":"2","c":"3"}`, `{"c":"3","b":"2","a":"1"}`, `{ "b" : "2" , "a": "1","c" :"3"}`,
		`{"a":"1","x":0,"b":"2","c":"3"}`, `{"a":"1","b":"2","c":"3","y":{"a":4}}`,
	} {
		for range 2 {
			var got three
			require.True(t, Scan([]byte(body), func(s *Scanner) { shape.Read(s, &got) }), body)
			require.Equal(t, three{"1", "2", "3"}, got, body)
		}
	}
	for _, body := range []string{`{"a":"1","a":"1"}`, `{"a":"","b":"2","a":""}`, `{"a:"1"}`, `{"a"`, `{"a":`, `{}{`} {
		require.False(t, Scan([]byte(body), func(s *Scanner) { shape.Read(s, new(three)) }), body)
	}
}

// TestUndocumentedMembersStayFast: a scan takes a record with members that nobody
// documents, whatever their names and however deep they nest, with as many allocations
// as one without, and reads the others as encoding/json does.
func TestUndocumentedMembersStayFast(t *testing.T) {
	deep := func(open, end string, depth int) string {
		return strings.Repeat(open, depth) + "1" + strings.Repeat(end, depth)
	}
	plain := `{"text":"t","Colour":"red","inner":{"count":3,"text":"u"}}`
	var want shaped
	require.NoError(t, json.Unmarshal([]byte(plain), &want))
	read := func(body string) (got shaped) {
		require.True(t, Scan([]byte(body), func(s *Scanner) { shape.Read(s, &got) }), "%.80s", body)
		return got
	}
	base := testing.AllocsPerRun(10, func() { read(plain) })
	for _, member := range []string{
		`"newMember":1`, `"NEW":{"Text":1,"text":[]}`, `"größe":1`, `"ſ":1`, `"日本":{"é":"日"}`, `"x":"\u00e9\n\ud83d\ude00\/"`,
		`"x":` + deep(`[`, `]`, 65), `"x":` + deep(`{"a":`, `}`, 65), `"x":` + deep(`[`, `]`, 5000), `"x":` + deep(`{"\u0061":`, `}`, 5000),
	} {
		for _, body := range []string{
			fmt.Sprintf(`{%s,"text":"t","Colour":"red","inner":{"count":3,"text":"u"}}`, member),
			fmt.Sprintf(`{"text":"t","Colour":"red","inner":{"count":3,%s,"text":"u"}}`, member),
		} {
			require.Equal(t, want, read(body), "%.80s", body)
			require.LessOrEqual(t, testing.AllocsPerRun(10, func() { read(body) }), base+1, "%.80s", body)
		}
	}
}
