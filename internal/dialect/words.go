package dialect

import (
	"encoding/json"
	"maps"
	"strings"
	"unicode/utf8"

	"github.com/walletfi/walletfi-go/deployment"
)

// word is a word in the other language.
type word struct {
	text   string
	quoted []byte // as JSON
	number int    // of its pair of words
}

// table translates JSON one way. values and numbers are by the neutral name.
type table struct {
	keys    map[string]word
	values  map[string]map[string]word
	numbers map[string]*form
}

func (t *table) isEmpty() bool { return len(t.keys)+len(t.values)+len(t.numbers) == 0 }

// compileWords merges the operation's words into the service's, of which they win.
func (o *Operation) compileWords(common deployment.Words, service string, own deployment.Words) (err error) {
	of := func(part string, owned func(neutral string) bool) func(string) string {
		return func(neutral string) string {
			if owned(neutral) {
				return o.field + "." + part
			}
			return service + "." + part
		}
	}
	o.query, _, err = bothWays(merged(common.Query, own.Query), of("query", has(own.Query)))
	if err != nil {
		return err
	}
	keys, back, err := bothWays(merged(common.Keys, own.Keys), of("keys", has(own.Keys)))
	if err != nil {
		return err
	}
	o.out.keys, o.in.keys = made(keys, back)
	o.out.values, o.in.values = map[string]map[string]word{}, map[string]map[string]word{}
	for _, name := range inOrder(merged(common.Values, own.Values)) {
		values, back, err := bothWays(merged(common.Values[name], own.Values[name]),
			of("values."+name, has(own.Values[name])))
		if err != nil {
			return err
		}
		o.out.values[name], o.in.values[name] = made(values, back)
	}
	numbers := map[string]*form{}
	for name, n := range merged(common.Numbers, own.Numbers) {
		numbers[name] = compileNumber(name, n)
	}
	o.out.numbers, o.in.numbers = numbers, numbers
	return nil
}

func has[V any](m map[string]V) func(string) bool {
	return func(name string) bool { _, ok := m[name]; return ok }
}

// merged returns a with b's entries in place of its own.
func merged[V any](a, b map[string]V) map[string]V {
	all := make(map[string]V, len(a)+len(b))
	maps.Copy(all, a)
	maps.Copy(all, b)
	return all
}

// bothWays turns neutral-to-live words round. field names the place of a neutral
// word in errors.
func bothWays(ahead map[string]string, field func(neutral string) string) (_, back map[string]string, err error) {
	back = make(map[string]string, len(ahead))
	for _, neutral := range inOrder(ahead) {
		live := ahead[neutral]
		if neutral == "" || live == "" || !utf8.ValidString(neutral+live) {
			return nil, nil, problem(field(neutral)+"."+neutral, "%q is translated to %q", neutral, live)
		}
		if other, taken := back[live]; taken {
			return nil, nil, problem(field(neutral)+"."+neutral, "%q and %q are both translated to %q", other, neutral, live)
		}
		back[live] = neutral
	}
	return ahead, back, nil
}

// made makes words for both ways.
func made(ahead, back map[string]string) (out, in map[string]word) {
	out, in = make(map[string]word, len(ahead)), make(map[string]word, len(back))
	for n, neutral := range inOrder(ahead) {
		live := ahead[neutral]
		out[neutral], in[live] = word{live, quote(live), n}, word{neutral, quote(neutral), n}
	}
	return out, in
}

// quote writes text as JSON.
func quote(text string) []byte {
	quoted, _ := json.Marshal(text) // cannot fail for a string
	return quoted
}

func translated(words map[string]string, text string) string {
	if other, ok := words[text]; ok {
		return other
	}
	return text
}

// Value returns the live word for a value of the enumeration of that name.
func (o *Operation) Value(name, value string) string {
	if o == nil {
		return value
	}
	if w, ok := o.out.values[name][value]; ok {
		return w.text
	}
	return value
}

// Key returns the live name of a member.
func (o *Operation) Key(name string) string {
	if o == nil {
		return name
	}
	if w, ok := o.out.keys[name]; ok {
		return w.text
	}
	return name
}

// values translates each item of a list with commas.
func translatedList(table map[string]word, list string) string {
	if whole, ok := table[list]; ok {
		return whole.text
	}
	items := strings.Split(list, ",")
	for i, item := range items {
		if w, ok := table[item]; ok {
			items[i] = w.text
		}
	}
	return strings.Join(items, ",")
}
