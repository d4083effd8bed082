package control

import (
	"encoding/base64"
	"encoding/json"
	"reflect"
	"strconv"
	"time"
)

// written is a value in the form in which it is answered. See schema for the
// forms.
func written(v reflect.Value) any {
	switch {
	case v.Type() == rawType:
		return json.RawMessage(v.Bytes())
	case v.Type() == timeType:
		return v.Interface().(time.Time).UTC().Format(time.RFC3339Nano)
	case v.Type() == durationType:
		return time.Duration(v.Int()).Seconds()
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8:
		return base64.StdEncoding.EncodeToString(v.Bytes())
	case v.Kind() == reflect.Uint64:
		return strconv.FormatUint(v.Uint(), 10)
	case v.Kind() == reflect.Struct:
		object := make(map[string]any, v.NumField())
		for i := range v.NumField() {
			object[camel(v.Type().Field(i).Name)] = written(v.Field(i))
		}
		return object
	case v.Kind() == reflect.Slice:
		items := make([]any, v.Len())
		for i := range items {
			items[i] = written(v.Index(i))
		}
		return items
	case v.Kind() == reflect.Map:
		object := make(map[string]any, v.Len())
		for _, key := range v.MapKeys() {
			object[key.String()] = written(v.MapIndex(key))
		}
		return object
	}
	return v.Interface()
}
