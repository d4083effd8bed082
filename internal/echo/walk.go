package echo

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Walk compares the values of an answer whose shape is not documented. It visits each text
// and number that is not empty by its path, in lower case without "_", "-" and indexes, such
// as "data.pools.baseid", and returns the first contradiction.
func Walk(answer []byte, compare func(path, said string) error) error {
	d := json.NewDecoder(bytes.NewReader(answer))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil // it was no answer either
	}
	return walk("", v, compare)
}

// Named is Walk for the members of these names, in any object.
func Named(answer []byte, members map[string]func(path, said string) error) error {
	return Walk(answer, func(path, said string) error {
		if compare := members[path[strings.LastIndexByte(path, '.')+1:]]; compare != nil {
			return compare(path, said)
		}
		return nil
	})
}

// To makes a comparison of what was asked for.
func To[S ~string](compare func(field string, asked, said S) error, asked S) func(path, said string) error {
	return func(path, said string) error { return compare(path, asked, S(said)) }
}

var plainName = strings.NewReplacer("_", "", "-", "")

func walk(path string, v any, compare func(path, said string) error) error {
	said := ""
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			at := strings.TrimPrefix(path+"."+plainName.Replace(strings.ToLower(name)), ".")
			if err := walk(at, v[name], compare); err != nil {
				return err
			}
		}
	case []any:
		return Each(v, func(item any) error { return walk(path, item, compare) })
	case json.Number:
		said = v.String()
	case string:
		said = v
	}
	if said == "" {
		return nil
	}
	return compare(path, said)
}
