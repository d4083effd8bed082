package main

import (
	"crypto/rand"
	"encoding/json"
	"maps"
	"sync"
)

// answer is the structured content of a success.
type answer struct {
	Answer     any    `json:"answer"`
	Next       string `json:"next,omitempty"`
	Cut        string `json:"cut,omitempty"`
	Incomplete string `json:"incomplete,omitempty"`
	Cost       string `json:"cost,omitempty"`
}

// answerTexts describe the members of an answer besides its own.
var answerTexts = map[string]string{
	"next":       "if there is more: give it as cursor to the same tool",
	"cut":        "what was left out because the answer was too long",
	"incomplete": "what the service's answer lacks, or could not be read",
	"cost":       "what the search for posts has cost, and what is left",
}

// The texts of cut.
const (
	cutList  = "a list has more elements: go on with next"
	cutInner = "lists within the answer have more elements: ask for less at once, or for single records"
	cutText  = "long texts end early"
)

// shorten cuts lists until v has at most so many bytes as JSON, the longest first. rest has the
// other elements of the first one. It reports false if that is not enough.
func shorten(v any, most int) (kept any, rest *remainder, inner, ok bool) {
	for range 8 {
		if size(v) <= most {
			return v, rest, inner, true
		}
		path := longest(v, nil)
		if path == nil {
			return v, rest, inner, false
		}
		list := at(v, path).([]any)
		room := most - (size(v) - size(list))
		keep := 0
		for used := 2; keep < len(list); keep++ {
			if used += size(list[keep]) + 1; used > room {
				break
			}
		}
		keep = max(keep, 1)
		if rest == nil {
			rest = &remainder{path: path, items: list[keep:]}
		} else {
			inner = true
		}
		v = replace(v, path, list[:keep])
	}
	return v, rest, inner, false
}

// remainder has the elements that were cut from a list.
type remainder struct {
	path  []string
	items []any
}

// size is how long v is as JSON.
func size(v any) int {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // it is made of what value returns
	}
	return len(text)
}

// longest finds the longest list of more than one element, by names of members; nil is none.
func longest(v any, path []string) (found []string) {
	most := 0
	look := func(v any, path []string) {
		if p := longest(v, path); p != nil {
			if n := size(at(v, p[len(path):])); n > most {
				found, most = p, n
			}
		}
	}
	switch v := v.(type) {
	case []any:
		if len(v) > 1 {
			return append([]string{}, path...)
		}
		if len(v) == 1 {
			look(v[0], append(path[:len(path):len(path)], "0"))
		}
	case map[string]any:
		for name, value := range v {
			look(value, append(path[:len(path):len(path)], name))
		}
	}
	return found
}

// at is the value at a path.
func at(v any, path []string) any {
	for _, name := range path {
		if list, ok := v.([]any); ok {
			v = list[0]
			continue
		}
		v = v.(map[string]any)[name]
	}
	return v
}

// replace is v with another value at a path.
func replace(v any, path []string, by any) any {
	if len(path) == 0 {
		return by
	}
	if list, ok := v.([]any); ok {
		return []any{replace(list[0], path[1:], by)}
	}
	all := maps.Clone(v.(map[string]any))
	all[path[0]] = replace(all[path[0]], path[1:], by)
	return all
}

// mostKept bounds the cursors that are kept, each with at most a service's answer; older ones are forgotten.
const mostKept = 16

// cursors keeps how answers go on. It is safe for concurrent use.
type cursors struct {
	mu    sync.Mutex
	kept  map[string]more
	order []string
}

// more is how an answer goes on: by the rest of its list, then by a call with other arguments.
type more struct {
	tool string
	rest *remainder
	then map[string]json.RawMessage
}

// put keeps m, and returns its cursor.
func (c *cursors) put(m more) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept == nil {
		c.kept = map[string]more{}
	}
	if len(c.order) == mostKept {
		delete(c.kept, c.order[0])
		c.order = c.order[1:]
	}
	id := rand.Text()
	c.kept[id] = m
	c.order = append(c.order, id)
	return id
}

// get returns what goes on at a cursor, as often as it is asked for.
func (c *cursors) get(tool, id string) (more, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	m, ok := c.kept[id]
	if !ok || m.tool != tool {
		return more{}, refuse("cursor", "is none of this tool, or is not kept any more: call it again without")
	}
	return m, nil
}
