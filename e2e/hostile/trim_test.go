package hostile

import (
	"bytes"
	"encoding/json"
	"strings"
)

// trimmed is a body whose lists have their first and last record alone.
func trimmed(body string) string {
	var out bytes.Buffer
	if err := trim(&out, json.RawMessage(body), false); err != nil {
		return body
	}
	return out.String()
}

// trim writes a value. The lists within a list are kept.
func trim(out *bytes.Buffer, value json.RawMessage, inList bool) error {
	switch value = bytes.TrimSpace(value); {
	case value[0] == '[':
		var records []json.RawMessage
		if err := json.Unmarshal(value, &records); err != nil {
			return err
		}
		if n := len(records); n > 2 && !inList {
			records = []json.RawMessage{records[0], records[n-1]}
		}
		out.WriteByte('[')
		for i, record := range records {
			if i > 0 {
				out.WriteByte(',')
			}
			if err := trim(out, record, true); err != nil {
				return err
			}
		}
		out.WriteByte(']')
	case value[0] == '{':
		return trimObject(out, value)
	default:
		out.Write(value)
	}
	return nil
}

// trimObject writes the members in their order.
func trimObject(out *bytes.Buffer, object json.RawMessage) error {
	d := json.NewDecoder(bytes.NewReader(object))
	if _, err := d.Token(); err != nil {
		return err
	}
	out.WriteByte('{')
	for first := true; d.More(); first = false {
		name, err := d.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		if !first {
			out.WriteByte(',')
		}
		out.WriteString(`"` + strings.ReplaceAll(name.(string), `"`, `\"`) + `":`)
		if err := trim(out, value, false); err != nil {
			return err
		}
	}
	out.WriteByte('}')
	return nil
}
