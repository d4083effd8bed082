package hollow

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/internal/wire"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

// anyRecord are the lists whose records are kept as they come, whatever they are.
var anyRecord = map[string]string{
	"amm.ListMints":        "the shape of a token is not documented: each record is a Document",
	"amm.ListPools":        "the shape of a pool is not documented: each record is a Document",
	"amm.ListPoolsByIDs":   "the shape of a pool is not documented: each record is a Document",
	"amm.ListPoolsByMints": "the shape of a pool is not documented: each record is a Document",
	"amm.AllPools":         "the shape of a pool is not documented: each record is a Document",
}

// TestOneRecordHasEveryList: each list of each client has a row.
func TestOneRecordHasEveryList(t *testing.T) {
	rows := map[string]bool{}
	for _, c := range append(listCalls(), walks(t)...) {
		rows[c.name] = true
	}
	lists := 0
	for service, client := range flows.Clients {
		for m := range client.Methods() {
			name := string(service) + "." + m.Name
			if m.Name == "CloseAll" || !flows.IsIterator(m.Type) && !flows.IsList(m) {
				continue
			}
			lists++
			require.True(t, rows[name] != (anyRecord[name] != ""), "%s needs a row", name)
		}
	}
	require.Greater(t, lists, 60)
}

// TestOneRecordField gives each list call a record of which one field, on which no
// money hangs, is of another form: the record and its page are whole, the field is
// zero or invalid, and the record's JSON is in its Raw. If it decides, that it is so
// stands beside the record.
func TestOneRecordField(t *testing.T) {
	fields := 0
	for _, c := range listCalls() {
		if c.record[0] != '{' {
			continue
		}
		record, at := c.ask(t, c.record)
		if anyDocument := record.IsValid() && record.Kind() == reflect.Slice; anyDocument {
			continue
		}
		if !record.IsValid() {
			t.Errorf("%s: no record in %s", c.name, c.record)
			continue
		}
		for _, f := range reflect.VisibleFields(record.Type()) {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			isAsked := name == "address" && strings.HasPrefix(c.name, "onchaindata.") // by which a record is found
			if name == "" || name == "-" || held(f) || isAsked {
				continue
			}
			bad := map[reflect.Kind]string{reflect.String: `{"x":1}`, reflect.Struct: `"N/A"`, reflect.Map: `"N/A"`, reflect.Slice: `"N/A"`}[f.Type.Kind()]
			if bad == "" {
				bad = `"NaN"`
			}
			if f.Type == reflect.TypeFor[walletfi.Document]() || moneyHangsOn(f.Type) {
				continue
			}
			fields++
			altered := at(name, bad)
			got, _ := c.ask(t, altered)
			told := strings.Contains(fmt.Sprint(c.beside), "."+name+" decides")
			if decides := wire.TagOf(f).Decides; decides != told {
				t.Errorf("%s: %s: decides %t, and the error is %v", c.name, altered, decides, c.beside)
			}
			if !got.IsValid() {
				t.Errorf("%s: %s: the record is lost", c.name, altered)
				continue
			}
			value := got.FieldByIndex(f.Index)
			if d, ok := value.Interface().(walletfi.Decimal); !value.IsZero() && !(ok && !d.Valid() && strings.Trim(bad, `"`) == d.String()) {
				t.Errorf("%s: %s: %s is %v", c.name, altered, name, value)
			}
			raw := got.FieldByName("Raw")
			if !raw.IsValid() || !strings.Contains(string(raw.Bytes()), bad) {
				t.Errorf("%s: %s: Raw is %v", c.name, altered, raw)
			}
		}
	}
	require.Greater(t, fields, 150)
	t.Logf("%d fields, none loses its record", fields)
}

// ask makes the call with one record. It returns the record, invalid if there is
// none, and a function that sets a member of its JSON.
func (c *listCall) ask(t *testing.T, record string) (reflect.Value, func(name, value string) string) {
	t.Helper()
	carrier := &wiretest.Carrier{Answers: []wiretest.Answer{{Status: http.StatusOK, Body: replaced(c.answer, record)}}}
	result, err := c.call(t.Context(), carrier.Client())
	put := func(name, value string) string {
		if strings.Contains(record, `"attributes":{`) {
			name = "attributes." + name
		}
		return set(t, record, name, json.RawMessage(value))
	}
	c.beside = err
	if unread, ok := errors.AsType[*walletfi.UnreadError](err); err != nil &&
		!(ok && !slices.ContainsFunc(unread.Records, func(r *walletfi.RecordError) bool { return !r.Kept })) {
		t.Errorf("%s: %s: %v", c.name, record, err)
		return reflect.Value{}, put
	}
	list := listIn(reflect.ValueOf(result))
	if !list.IsValid() || list.Len() == 0 {
		return reflect.Value{}, put
	}
	return reflect.Indirect(list.Index(0)), put
}

// listIn is the first list of a result.
func listIn(v reflect.Value) reflect.Value {
	v = reflect.Indirect(v)
	if !v.IsValid() || v.Kind() == reflect.Slice {
		return v
	}
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Slice && f.Type().Elem().Kind() != reflect.Uint8 {
			return f
		}
	}
	return reflect.Value{}
}

// moneyHangsOn reports a type that is or holds an amount, or a strict field.
func moneyHangsOn(t reflect.Type) bool {
	switch {
	case t == reflect.TypeFor[walletfi.Amount]():
		return true
	case t.Kind() == reflect.Pointer, t.Kind() == reflect.Slice, t.Kind() == reflect.Map:
		return moneyHangsOn(t.Elem())
	case t.Kind() != reflect.Struct:
		return false
	}
	for f := range t.Fields() {
		if tag := wire.TagOf(f); tag.Strict || tag.Required || f.Tag.Get("json") != "" && f.Tag.Get("json") != "-" && moneyHangsOn(f.Type) {
			return true
		}
	}
	return false
}

// held reports whether an answer is refused, or a record left out, for what a member is.
func held(f reflect.StructField) bool {
	tag := wire.TagOf(f)
	return tag.Holds() || tag.Records || tag.Raw
}

// set returns a JSON text with a value at each path, of which there are commas
// between: names and indexes with dots. Nil removes the member.
func set(t *testing.T, document, paths string, value any) string {
	t.Helper()
	var root any
	require.NoError(t, json.Unmarshal([]byte(document), &root), document)
	for path := range strings.SplitSeq(paths, ",") {
		root = put(root, strings.Split(path, "."), value)
	}
	b, err := json.Marshal(root)
	require.NoError(t, err)
	return string(b)
}

func put(node any, path []string, value any) any {
	if len(path) == 0 {
		return value
	}
	if i, err := strconv.Atoi(path[0]); err == nil {
		list, _ := node.([]any)
		for len(list) <= i {
			list = append(list, map[string]any{})
		}
		list = slices.Clone(list)
		if list[i] = put(list[i], path[1:], value); list[i] == nil {
			list = slices.Delete(list, i, i+1)
		}
		return list
	}
	object, _ := node.(map[string]any)
	object = maps.Clone(object)
	if object == nil {
		object = map[string]any{}
	}
	if len(path) == 1 && value == nil {
		delete(object, path[0])
		return object
	}
	object[path[0]] = put(object[path[0]], path[1:], value)
	return object
}
