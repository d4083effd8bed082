//go:build goexperiment.jsonv2

package rows

import jsonv2 "encoding/json/v2"

func init() {
	libraries = append(libraries, unmarshal{"encoding/json/v2", func(b []byte, v any) error {
		return jsonv2.Unmarshal(b, v)
	}})
}
