package world

import (
	"reflect"
	"slices"
	"strconv"
)

// Switch is something awkward in a Config that can be switched off.
type Switch struct {
	Name string
	Off  func(*Config)
}

// Switches returns what is on in c, each with the way to switch it off.
// Off leaves the numbers of nodes and endpoints as they are. A Config from
// [Config.Clone] can be changed without touching c.
func (c Config) Switches() []Switch {
	one := func(part any) []reflect.Value { return []reflect.Value{reflect.ValueOf(part).Elem()} }
	all := slices.Concat(
		zeroes("cluster", reflect.TypeFor[Cluster](), func(c *Config) []reflect.Value { return one(&c.Cluster) }),
		zeroes("landing", reflect.TypeFor[Landing](), func(c *Config) []reflect.Value { return one(&c.Landing) }),
		zeroes("nodes", reflect.TypeFor[NodeConfig](), func(c *Config) []reflect.Value { return elements(c.Nodes) }),
		zeroes("endpoints", reflect.TypeFor[EndpointConfig](), func(c *Config) []reflect.Value {
			return elements(c.Services)
		}),
		[]Switch{
			{"latency", func(c *Config) { c.LatencyMin, c.LatencyMax = 0, 0 }},
			{"further nodes", func(c *Config) {
				for i := range c.Services {
					c.Services[i].Nodes = c.Services[i].Nodes[:min(1, len(c.Services[i].Nodes))]
				}
			}},
		},
	)
	for i := range c.Nodes {
		name := "node " + strconv.Itoa(i)
		all = append(all, Switch{name, func(c *Config) { c.Nodes[i] = NodeConfig{} }})
	}
	var on []Switch
	for _, s := range all {
		changed := c.Clone()
		s.Off(&changed)
		if !reflect.DeepEqual(changed, c.Clone()) {
			on = append(on, s)
		}
	}
	return on
}

// Clone returns a copy that shares no memory with c.
func (c Config) Clone() Config {
	c.Nodes = slices.Clone(c.Nodes)
	c.Services = slices.Clone(c.Services)
	for i := range c.Services {
		c.Services[i].Nodes = slices.Clone(c.Services[i].Nodes)
		c.Services[i].Profile.Refuse = slices.Clone(c.Services[i].Profile.Refuse)
	}
	return c
}

// zeroes are the switches of parts of a Config, each of which sets a field of all of them
// to zero. Names and nodes stay.
func zeroes(name string, t reflect.Type, of func(*Config) []reflect.Value) (all []Switch) {
	for i := range t.NumField() {
		switch f := t.Field(i); {
		case f.Type.Kind() == reflect.Struct:
			all = append(all, zeroes(name, f.Type, func(c *Config) (inner []reflect.Value) {
				for _, v := range of(c) {
					inner = append(inner, v.Field(i))
				}
				return inner
			})...)
		case f.Name != "Name" && f.Name != "Nodes":
			all = append(all, Switch{name + " " + f.Name, func(c *Config) {
				for _, v := range of(c) {
					v.Field(i).SetZero()
				}
			}})
		}
	}
	return all
}

func elements[T any](list []T) (all []reflect.Value) {
	for i := range list {
		all = append(all, reflect.ValueOf(&list[i]).Elem())
	}
	return all
}
