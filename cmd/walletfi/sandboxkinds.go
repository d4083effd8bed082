package main

import (
	"encoding/json"
	"slices"
	"strings"
)

// kindsOf maps the path of each member of a JSON text, such as "pools[].apy", to its kinds,
// such as "number" or "null|string". The text itself is at "$".
func kindsOf(text []byte) map[string]string {
	found := map[string]string{}
	var value any
	if json.Unmarshal(text, &value) != nil {
		found["$"] = "no JSON"
		return found
	}
	walkKinds("$", value, found)
	return found
}

func walkKinds(at string, value any, found map[string]string) {
	kind := "null"
	switch v := value.(type) {
	case bool:
		kind = "boolean"
	case float64:
		kind = "number"
	case string:
		kind = "string"
	case []any:
		kind = "array"
		for _, item := range v {
			walkKinds(at+"[]", item, found)
		}
	case map[string]any:
		kind = "object"
		for name, member := range v {
			walkKinds(at+"."+name, member, found)
		}
	}
	found[at] = join(found[at], kind)
}

// join adds the kinds of b to those of a.
func join(a, b string) string {
	all := slices.Concat(split(a), split(b))
	slices.Sort(all)
	return strings.Join(slices.Compact(all), "|")
}

func split(kinds string) []string {
	return strings.FieldsFunc(kinds, func(r rune) bool { return r == '|' })
}

// meets reports whether two lists have a kind in common. Null may stand for any.
func meets(a, b string) bool {
	of := split(b)
	return slices.ContainsFunc(split(a), func(kind string) bool {
		return kind == "null" || slices.Contains(of, kind) || slices.Contains(of, "null")
	})
}

// parent is the path of what a member is in, the text's own for the text itself.
func parent(path string) string {
	if before, item := strings.CutSuffix(path, "[]"); item {
		return before
	}
	return path[:max(1, strings.LastIndexByte(path, '.'))]
}
