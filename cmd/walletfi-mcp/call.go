package main

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// reader answers the calls of the tools that read.
type reader struct {
	clients map[string]reflect.Value // by service
	mask    masker
	most    int // bytes of an answer
	cursors cursors
	meter   *meter // of socialsearch, nil without it
}

// call answers one call of a read.
func (r *reader) call(ctx context.Context, tool *read, arguments []byte) (*answer, error) {
	all, err := given(arguments)
	if err != nil {
		return nil, err
	}
	if text, ok := all["cursor"]; ok && string(text) != "null" {
		if len(all) > 1 {
			return nil, refuse("cursor", "is given alone, without other members")
		}
		id, err := textOf("cursor", text)
		if err != nil {
			return nil, err
		}
		goes, err := r.cursors.get(tool.name(), id)
		if err != nil {
			return nil, err
		}
		if goes.rest != nil {
			v := replaceAt(goes.rest.path, goes.rest.items)
			return r.bound(&answer{}, v, more{tool: goes.tool, then: goes.then})
		}
		all = goes.then
	}
	delete(all, "cursor")
	args, err := tool.input.decode(all)
	if err != nil {
		return nil, err
	}
	return r.ask(ctx, tool, all, args)
}

// replaceAt is a value that has nothing but a list at a path.
func replaceAt(path []string, list []any) any {
	var v any = list
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == "0" {
			v = []any{v}
			continue
		}
		v = map[string]any{path[i]: v}
	}
	return v
}

// ask calls the service.
func (r *reader) ask(
	ctx context.Context, tool *read, given map[string]json.RawMessage, args []reflect.Value,
) (*answer, error) {
	in := append([]reflect.Value{r.clients[tool.service], reflect.ValueOf(ctx)}, args...)
	out := tool.call.Call(in)
	err, _ := out[1].Interface().(error)
	if err != nil && (out[0].Kind() != reflect.Pointer || out[0].IsNil()) {
		return nil, err
	}
	a := &answer{}
	if err != nil {
		a.Incomplete = r.mask.error(err)
	}
	w := writer{mask: r.mask.Mask}
	value := out[0]
	if value.Kind() == reflect.Pointer {
		value = value.Elem()
	}
	v := w.value(value, 0)
	if w.cut {
		a.Cut = cutText
	}
	if tool.service == "socialsearch" && r.meter != nil {
		a.Cost = r.meter.says(ctx)
	}
	return r.bound(a, v, more{tool: tool.name(), then: nextPage(tool, given, value)})
}

// bound keeps an answer within its bytes.
func (r *reader) bound(a *answer, v any, goes more) (*answer, error) {
	kept, rest, inner, ok := shorten(v, r.most)
	if !ok {
		return nil, fmt.Errorf("%w: %d bytes at most: ask for less at once", errTooLong, r.most)
	}
	a.Answer = kept
	var cut []string
	if a.Cut != "" {
		cut = append(cut, a.Cut)
	}
	if inner {
		cut = append(cut, cutInner)
	}
	if goes.rest = rest; rest != nil {
		cut = append(cut, cutList)
	}
	a.Cut = strings.Join(cut, "; ")
	if goes.rest != nil || goes.then != nil {
		a.Next = r.cursors.put(goes)
	}
	return a, nil
}

// nextPage returns the arguments of the service's next page, nil if there is none.
func nextPage(tool *read, given map[string]json.RawMessage, page reflect.Value) map[string]json.RawMessage {
	count := records(page)
	next := map[string]json.RawMessage{}
	for name, value := range given {
		next[name] = value
	}
	number := func(m member, without int) int {
		if text, ok := given[m.name]; ok {
			_ = json.Unmarshal(text, &without) // it was decoded before
		}
		return without
	}
	for _, m := range tool.input.members {
		switch {
		case m.name == "offset" && count > 0:
			next[m.name] = json.RawMessage(strconv.Itoa(number(m, 0) + count))
			return next
		case m.name == "page" && count > 0:
			next[m.name] = json.RawMessage(strconv.Itoa(max(number(m, 1), 1) + 1))
			return next
		case m.name == "nextToken":
			meta := page.FieldByName("Meta")
			if !meta.IsValid() || meta.FieldByName("NextToken").String() == "" {
				return nil
			}
			next[m.name], _ = json.Marshal(meta.FieldByName("NextToken").String())
			return next
		}
	}
	return nil
}

// records counts the elements of a page's list.
func records(page reflect.Value) int {
	if page.Kind() != reflect.Struct {
		return 0
	}
	for i := range page.NumField() {
		if f := page.Field(i); f.Kind() == reflect.Slice && f.Type() != documentType {
			return f.Len()
		}
	}
	return 0
}
