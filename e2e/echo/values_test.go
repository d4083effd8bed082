package echo

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// leaf is a value of a JSON text that is no object and no list.
type leaf struct {
	path  string // "events[].type"
	steps []any  // names and indexes
	value any    // string, json.Number, bool or nil
}

func decoded(body string) any {
	d := json.NewDecoder(strings.NewReader(body))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

func leaves(v any) []leaf { return appendLeaves(nil, v, leaf{}) }

func appendLeaves(all []leaf, v any, at leaf) []leaf {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			path := strings.TrimPrefix(at.path+"."+name, ".")
			all = appendLeaves(all, v[name], leaf{path: path, steps: append(slices.Clip(at.steps), name)})
		}
	case []any:
		for i, item := range v {
			all = appendLeaves(all, item, leaf{path: at.path + "[]", steps: append(slices.Clip(at.steps), i)})
		}
	default:
		at.value = v
		all = append(all, at)
	}
	return all
}

// text is a value as it is compared.
func text(value any) string {
	if value == nil {
		return ""
	}
	return fmt.Sprint(value)
}

// with is a JSON text with another value at a place, whose last member need not be there.
func with(body string, steps []any, value any) string {
	out, err := json.Marshal(put(decoded(body), steps, value))
	if err != nil {
		panic(err)
	}
	return string(out)
}

func put(node any, steps []any, value any) any {
	if len(steps) == 0 {
		return value
	}
	if node == nil {
		node = map[string]any{}
		if _, isList := steps[0].(int); isList {
			node = []any{nil}
		}
	}
	switch n := node.(type) {
	case map[string]any:
		n[steps[0].(string)] = put(n[steps[0].(string)], steps[1:], value)
	case []any:
		n[steps[0].(int)] = put(n[steps[0].(int)], steps[1:], value)
	}
	return node
}

// places are where a member is in a JSON text, or where it would be: one in each object that
// its path leads to. What is not there is an object, or a list of one.
func places(node any, path string) [][]any {
	if path == "" {
		return [][]any{nil}
	}
	if rest, ok := strings.CutPrefix(path, "[]"); ok {
		list, _ := node.([]any)
		if node == nil {
			list = []any{nil}
		}
		var all [][]any
		for i, item := range list {
			for _, steps := range places(item, strings.TrimPrefix(rest, ".")) {
				all = append(all, append([]any{i}, steps...))
			}
		}
		return all
	}
	object, ok := node.(map[string]any)
	if !ok && node != nil {
		return nil
	}
	end := strings.IndexAny(path, ".[")
	if end < 0 {
		return [][]any{{path}}
	}
	var all [][]any
	for _, steps := range places(object[path[:end]], strings.TrimPrefix(path[end:], ".")) {
		all = append(all, append([]any{path[:end]}, steps...))
	}
	return all
}
