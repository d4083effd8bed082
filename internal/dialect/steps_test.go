package dialect

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/deployment"
)

func stepped(t testing.TB, o deployment.Operation) *Operation {
	return spoken(t, deployment.Service{Operations: map[string]deployment.Operation{"GET /x": o}}).Operation("GET", "/x")
}

func TestSteps(t *testing.T) {
	for name, c := range map[string]struct {
		steps      []deployment.Step
		came, want string
		echo       string // "" if it is the whole
	}{
		"unwrap":                         {[]deployment.Step{{Unwrap: "a.b"}}, ` {"a":{"b": [1, 2] ,"c":3}} `, `[1, 2]`, `[1, 2]`},
		"unwrap each":                    {[]deployment.Step{{At: "list.*", Unwrap: "m"}}, `{"list":[{"m":1},{"m":{"x":2}}]}`, `{"list":[1,{"x":2}]}`, ""},
		"unwrap each of nothing":         {[]deployment.Step{{At: "list.*", Unwrap: "m"}}, `{"list":[]}`, `{"list":[]}`, ""},
		"one element lacks it":           {[]deployment.Step{{At: "list.*", Unwrap: "m"}}, `{"list":[{"m":1},{}]}`, `{"list":[{"m":1},{}]}`, ""},
		"where it matches":               {[]deployment.Step{{At: "*.m", List: true}}, `[{"m":1},{},3]`, `[{"m":[1]},{},3]`, ""},
		"where nothing matches":          {[]deployment.Step{{At: "*.m", List: true}}, `[{},3]`, `[{},3]`, ""},
		"wrap":                           {[]deployment.Step{{Wrap: "a.b"}}, `[1]`, `{"a":{"b":[1]}}`, ""},
		"only":                           {[]deployment.Step{{Only: true}}, `[ {"a":1} ]`, `{"a":1}`, `{"a":1}`},
		"only, of two":                   {[]deployment.Step{{Only: true}}, `[1,2]`, `[1,2]`, ""},
		"only, of none":                  {[]deployment.Step{{Only: true}}, `[]`, `[]`, ""},
		"only, of an object":             {[]deployment.Step{{Only: true}}, `{}`, `{}`, ""},
		"list":                           {[]deployment.Step{{At: "a", List: true}}, `{"a":{"b":1}}`, `{"a":[{"b":1}]}`, ""},
		"move":                           {[]deployment.Step{{Move: "m.id", To: "d.e.f"}}, `{"m":{"id":7,"x":1},"d":{}}`, `{"m":{"x":1},"d":{"e":{"f":7}}}`, ""},
		"move the last":                  {[]deployment.Step{{Move: "b", To: "c"}}, `{"a":1, "b":2}`, `{"a":1,"c":2}`, ""},
		"move the only":                  {[]deployment.Step{{Move: "b", To: "b.c"}}, `{ "b" : 2 }`, `{  "b":{"c":2}}`, ""},
		"move onto another":              {[]deployment.Step{{Move: "a", To: "b"}}, `{"a":1,"b":2}`, `{"a":1,"b":2}`, ""},
		"move into a scalar":             {[]deployment.Step{{Move: "a", To: "b.c"}}, `{"a":1,"b":2}`, `{"a":1,"b":2}`, ""},
		"move, each":                     {[]deployment.Step{{At: "*", Move: "a", To: "b"}}, `[{"a":1},{"a":2}]`, `[{"b":1},{"b":2}]`, ""},
		"default":                        {[]deployment.Step{{Default: json.RawMessage(`[]`), To: "b"}}, `{"a":1}`, `{"a":1,"b":[]}`, ""},
		"default, deep":                  {[]deployment.Step{{Default: json.RawMessage(`0`), To: "b.c"}}, `{}`, `{"b":{"c":0}}`, ""},
		"default, of each":               {[]deployment.Step{{At: "*", Default: json.RawMessage(`"x"`), To: "b"}}, `[{},{"b":null}]`, `[{"b":"x"},{"b":null}]`, ""},
		"default, not needed":            {[]deployment.Step{{Default: json.RawMessage(`[]`), To: "b"}}, `{"b":[1]}`, `{"b":[1]}`, ""},
		"default, twice there":           {[]deployment.Step{{Default: json.RawMessage(`[]`), To: "b"}}, `{"b":1,"b":2}`, `{"b":1,"b":2}`, ""},
		"default, no object":             {[]deployment.Step{{Default: json.RawMessage(`[]`), To: "b"}}, `[]`, `[]`, ""},
		"default, there in another case": {[]deployment.Step{{Default: json.RawMessage(`[]`), To: "b"}}, `{"B":[1]}`, `{"B":[1]}`, ""},
		"default, deep in another case":  {[]deployment.Step{{Default: json.RawMessage(`[]`), To: "b.c"}}, `{"B":{"x":1}}`, `{"B":{"x":1,"c":[]}}`, ""},
		"default, in two other cases":    {[]deployment.Step{{Default: json.RawMessage(`[]`), To: "ab"}}, `{"Ab":1,"AB":2}`, `{"Ab":1,"AB":2}`, ""},
		"move from another case":         {[]deployment.Step{{Move: "m.id", To: "d"}}, `{"M":{"ID":7}}`, `{"M":{},"d":7}`, ""},
		"move onto another case":         {[]deployment.Step{{Move: "a", To: "b"}}, `{"a":1,"B":2}`, `{"a":1,"B":2}`, ""},
		"unwrap in another case":         {[]deployment.Step{{Unwrap: "data"}}, `{"Data":[1]}`, `[1]`, `[1]`},
		"unwrap the very name":           {[]deployment.Step{{Unwrap: "data"}}, `{"Data":[1],"data":[2]}`, `[2]`, `[2]`},
		"unwrap, each in another case":   {[]deployment.Step{{At: "list.*", Unwrap: "m"}}, `{"List":[{"M":1}]}`, `{"List":[1]}`, ""},
		"names":                          {[]deployment.Step{{At: "a", Names: []string{"p", "q"}}}, `{"a":{"0.4": 1,"\u0030":[2]}}`, `{"a":[{"p":"0.4","q":1},{"p":"\u0030","q":[2]}]}`, ""},
		"names, of nothing":              {[]deployment.Step{{Names: []string{"p", "q"}}}, `{}`, `[]`, ""},
		"names, one twice":               {[]deployment.Step{{Names: []string{"p", "q"}}}, `{"a":1,"\u0061":2}`, `{"a":1,"\u0061":2}`, ""},
		"names, of two":                  {[]deployment.Step{{At: "*", Names: []string{"p", "q"}}}, `[["m", 9]]`, `[{"p":"m","q":9}]`, ""},
		"names, of three":                {[]deployment.Step{{Names: []string{"p", "q"}}}, `[1,2,3]`, `[1,2,3]`, ""},
		"names, of a scalar":             {[]deployment.Step{{Names: []string{"p", "q"}}}, `7`, `7`, ""},
		"complement":                     {[]deployment.Step{{At: "*", Complement: true}}, `["0.45", 0.30, 1, "0", 2.5e-1]`, `["0.55", 0.7, 0, "1", 0.75]`, ""},
		"complement, above":              {[]deployment.Step{{At: "*", Complement: true}}, `["1.01"]`, `["1.01"]`, ""},
		"complement, below":              {[]deployment.Step{{At: "*", Complement: true}}, `[-0.1]`, `[-0.1]`, ""},
		"complement, no number":          {[]deployment.Step{{At: "*", Complement: true}}, `[null]`, `[null]`, ""},
		"all or none":                    {[]deployment.Step{{Unwrap: "a"}, {Unwrap: "b"}}, `{"a":{"c":1}}`, `{"a":{"c":1}}`, ""},
		"no object":                      {[]deployment.Step{{Unwrap: "a"}}, `"a"`, `"a"`, ""},
		"a member twice":                 {[]deployment.Step{{Unwrap: "a"}}, `{"a":1,"a":2}`, `{"a":1,"a":2}`, ""},
		"an escaped name":                {[]deployment.Step{{Unwrap: "a"}}, `{"\u0061":1}`, `1`, `1`},
		"not JSON":                       {[]deployment.Step{{Unwrap: "a"}}, `{"a":`, `{"a":`, ""},
		"not UTF-8":                      {[]deployment.Step{{Unwrap: "a"}}, "{\"a\":\"\xff\"}", "{\"a\":\"\xff\"}", ""},
		"nothing":                        {[]deployment.Step{{Unwrap: "a"}}, ``, ``, ""},
		"more than what goes back": {[]deployment.Step{{Move: "m.id", To: "d.id"}, {Unwrap: "d"}, {Wrap: "q"}},
			`{"m":{"id":7},"d":{"x": 1}}`, `{"q":{"x": 1,"id":7}}`, `{"x": 1}`},
	} {
		t.Run(name, func(t *testing.T) {
			came := []byte(c.came)
			a := stepped(t, deployment.Operation{Answer: c.steps}).Answer(came)
			require.NoError(t, a.Err)
			assert.Equal(t, c.want, string(a.Neutral))
			want := c.echo
			if want == "" {
				want = c.came
			}
			assert.Equal(t, want, string(a.Came))
			assert.Equal(t, c.came, string(came), "the answer itself is not changed")
		})
	}
}

// TestStepsOfLargeAnswers take time in proportion to the answer, however deep it is.
func TestStepsOfLargeAnswers(t *testing.T) {
	const depth, width = 9_000, 200_000
	o := stepped(t, deployment.Operation{
		Words:  deployment.Words{Keys: map[string]string{"a": "x"}},
		Answer: []deployment.Step{{Unwrap: "d"}, {At: "list.*", Unwrap: "m"}},
	})
	deep := strings.Repeat(`{"a":1,"x":`, depth) + "1" + strings.Repeat("}", depth)
	wide := strings.TrimSuffix(strings.Repeat(`{"m":{"x":1}},`, width), ",")
	a := o.Answer([]byte(`{"d":{"deep":` + deep + `,"list":[` + wide + `]}}`))
	require.NoError(t, a.Err)
	require.Equal(t, depth, strings.Count(string(a.Neutral), `"~a":1,"a":`))
	require.Equal(t, width, strings.Count(string(a.Neutral), `{"a":1}`))
}

func TestBodies(t *testing.T) {
	o := stepped(t, deployment.Operation{
		Words: deployment.Words{Keys: map[string]string{"amount": "qty"}, Extra: deployment.Extra{Body: map[string]json.RawMessage{"v": json.RawMessage(`{"a": 1}`)}}},
		Body:  []deployment.Step{{Move: "qty", To: "order.size"}, {Wrap: "params"}},
	})
	body, err := o.ToLive([]byte(`{"amount":5,"side":"buy"}`))
	require.NoError(t, err)
	body, err = o.Finish(body)
	require.NoError(t, err)
	assert.Equal(t, `{"params":{"side":"buy","order":{"size":5}},"v":{"a": 1}}`, string(body))

	var refused *walletfi.ValidationError
	_, err = o.Finish([]byte(`{"side":"buy"}`))
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, "deployment.services.swap.operations[GET /x].body[0]", refused.Field)
	body, err = o.Finish(nil)
	require.NoError(t, err)
	assert.Empty(t, body, "no body is none")

	plain := stepped(t, deployment.Operation{Words: deployment.Words{Extra: deployment.Extra{Body: map[string]json.RawMessage{"v": json.RawMessage(`1`)}}}})
	_, err = plain.Finish([]byte(`{"v":2}`))
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, "deployment.services.swap.operations[GET /x].extra.body.v", refused.Field)
	body, err = plain.Finish([]byte(`[1]`))
	require.NoError(t, err)
	assert.Equal(t, `[1]`, string(body))
	body, err = plain.Finish([]byte(`{}`))
	require.NoError(t, err)
	assert.Equal(t, `{"v":1}`, string(body))
}

// FuzzSteps: the result is JSON if the answer is, or the answer itself.
func FuzzSteps(f *testing.F) {
	for _, seed := range []string{`{"a":{"b":[1]}}`, `[{"a":1}]`, `{"a":{"b":{}},"c":{}}`, `{"a" : {"b" : 2 , "x":1}}`, `[`, `{"a":1,"a":2}`} {
		f.Add([]byte(seed))
	}
	all := [][]deployment.Step{
		{{Unwrap: "a.b"}}, {{At: "*", Unwrap: "a"}}, {{Only: true}}, {{At: "a.*", List: true}}, {{Move: "a.b", To: "c.d"}}, {{Move: "a", To: "a.b"}}, {{At: "*.*", Wrap: "z"}},
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, steps := range all {
			out, _, ok := shaped(body, compileSteps(steps))
			require.Equal(t, isJSON(body), isJSON(out))
			if !ok {
				require.Equal(t, string(body), string(out))
			}
		}
	})
}
