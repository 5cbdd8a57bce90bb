//! The network of all-MiniLM-L6-v2 as a graph of ONNX operators.
//!
//! A six-layer BERT for one text at a time, so that nothing is padded, followed by the normalized mean over all word
//! pieces. Source: the model's `config.json`, and the pooling that `modules.json` and `1_Pooling` of the published
//! model name.

use crate::weights::Weight;
use rten::op_types::{
    Add, Gather, Gelu, LayerNormalization, LpNormalization, MatMul, Mul, ReduceMean, Reshape, Softmax,
    Transpose,
};
use rten::{Model, ModelOptions, OpRegistry};
use rten_onnx::onnx::{
    AttributeProto, AttributeType, DataLocation, DataType, Dimension, GraphProto, ModelProto, NodeProto,
    OperatorSetIdProto, StringStringEntryProto, TensorProto, TensorShapeProto, TypeProto, TypeProtoTensor,
    ValueInfoProto,
};
use rten_onnx::protobuf::{EncodeMessage, ValueWriter};
use std::cell::RefCell;
use std::collections::HashMap;
use std::error::Error;

/// Input: the ids of the word pieces.
pub(crate) const PIECES: &str = "pieces";
/// Input: 0, 1, 2 …, one for each word piece.
pub(crate) const POSITIONS: &str = "positions";

const LAYERS: usize = 6;
const HEADS: i64 = 12;
const HEAD_WIDTH: i64 = 32;
const WIDTH: i64 = HEADS * HEAD_WIDTH;
/// `layer_norm_eps` of config.json.
const EPSILON: f32 = 1e-12;
/// The version of the ONNX operators.
const OPSET: i64 = 20;

/// A graph under construction; values are identified by name.
struct Graph<'a> {
    graph: GraphProto,
    weights: HashMap<String, Weight>,
    options: &'a mut ModelOptions,
    missing: Option<String>,
}

/// Builds the model from its weights.
///
/// # Errors
/// If a tensor is missing or has another shape.
pub(crate) fn build(weights: HashMap<String, Weight>) -> Result<Model, Box<dyn Error + Send + Sync>> {
    let mut options = ModelOptions::with_ops(OpRegistry::with_ops(&[
        &Add,
        &Gather,
        &Gelu,
        &LayerNormalization,
        &LpNormalization,
        &MatMul,
        &Mul,
        &ReduceMean,
        &Reshape,
        &Softmax,
        &Transpose,
    ]));
    // Packing the weights for each text would take longer than the multiplication.
    options.prepack_weights(true);
    let mut graph = Graph { graph: GraphProto::default(), weights, options: &mut options, missing: None };
    let vector = graph.whole();
    graph.graph.input = [PIECES, POSITIONS].map(input).to_vec();
    graph.graph.output = vec![ValueInfoProto { name: Some(vector), ..Default::default() }];
    if let Some(name) = graph.missing {
        return Err(format!("tensor '{name}' is missing").into());
    }
    let model = ModelProto {
        ir_version: Some(10),
        opset_import: vec![OperatorSetIdProto { domain: Some(String::new()), version: Some(OPSET) }],
        graph: Some(graph.graph),
        ..Default::default()
    };
    let mut bytes = Vec::new();
    model.encode(ValueWriter::new(&mut bytes))?;
    Ok(options.load(bytes)?)
}

impl Graph<'_> {
    fn whole(&mut self) -> String {
        let mut x = self.embeddings();
        for layer in 0..LAYERS {
            x = self.layer(&x, &format!("encoder.layer.{layer}"));
        }
        let rows = self.integers("rows", &[0]);
        let mean = self.op("ReduceMean", &[&x, &rows], vec![integer("keepdims", 1)]);
        self.op("LpNormalization", &[&mean], vec![integer("axis", -1), integer("p", 2)])
    }

    /// Sums the word, position and segment embeddings; a single text is all segment 0.
    fn embeddings(&mut self) -> String {
        let words = self.weight("embeddings.word_embeddings.weight", |weight| weight);
        let places = self.weight("embeddings.position_embeddings.weight", |weight| weight);
        let kind = self.weight("embeddings.token_type_embeddings.weight", Weight::first_row);
        let words = self.op("Gather", &[&words, PIECES], vec![integer("axis", 0)]);
        let places = self.op("Gather", &[&places, POSITIONS], vec![integer("axis", 0)]);
        let sum = self.op("Add", &[&words, &places], vec![]);
        let sum = self.op("Add", &[&sum, &kind], vec![]);
        self.norm(&sum, "embeddings.LayerNorm")
    }

    fn layer(&mut self, x: &str, name: &str) -> String {
        let attention = self.attention(x, &format!("{name}.attention.self"));
        let attention = self.linear(&attention, &format!("{name}.attention.output.dense"));
        let sum = self.op("Add", &[&attention, x], vec![]);
        let x = self.norm(&sum, &format!("{name}.attention.output.LayerNorm"));
        let wide = self.linear(&x, &format!("{name}.intermediate.dense"));
        let wide = self.op("Gelu", &[&wide], vec![]);
        let narrow = self.linear(&wide, &format!("{name}.output.dense"));
        let sum = self.op("Add", &[&narrow, &x], vec![]);
        self.norm(&sum, &format!("{name}.output.LayerNorm"))
    }

    /// Multi-head attention: softmax(query · key / √width) · value.
    fn attention(&mut self, x: &str, name: &str) -> String {
        let query = self.heads(x, &format!("{name}.query"), &[1, 0, 2]);
        let key = self.heads(x, &format!("{name}.key"), &[1, 2, 0]);
        let value = self.heads(x, &format!("{name}.value"), &[1, 0, 2]);
        let scale = self.number("scale", 1.0 / (HEAD_WIDTH as f32).sqrt());
        let scores = self.op("MatMul", &[&query, &key], vec![]);
        let scores = self.op("Mul", &[&scores, &scale], vec![]);
        let shares = self.op("Softmax", &[&scores], vec![integer("axis", -1)]);
        let chosen = self.op("MatMul", &[&shares, &value], vec![]);
        let chosen = self.op("Transpose", &[&chosen], vec![integers("perm", &[1, 0, 2])]);
        let shape = self.integers("joined", &[-1, WIDTH]);
        self.op("Reshape", &[&chosen, &shape], vec![])
    }

    /// A linear layer as `pieces × heads × width`, with its axes permuted.
    fn heads(&mut self, x: &str, name: &str, axes: &[i64]) -> String {
        let y = self.linear(x, name);
        let shape = self.integers("heads", &[-1, HEADS, HEAD_WIDTH]);
        let y = self.op("Reshape", &[&y, &shape], vec![]);
        self.op("Transpose", &[&y], vec![integers("perm", axes)])
    }

    fn linear(&mut self, x: &str, name: &str) -> String {
        let weight = self.weight(&format!("{name}.weight"), Weight::transposed);
        let bias = self.weight(&format!("{name}.bias"), |weight| weight);
        let product = self.op("MatMul", &[x, &weight], vec![]);
        self.op("Add", &[&product, &bias], vec![])
    }

    fn norm(&mut self, x: &str, name: &str) -> String {
        let weight = self.weight(&format!("{name}.weight"), |weight| weight);
        let bias = self.weight(&format!("{name}.bias"), |weight| weight);
        let attributes = vec![integer("axis", -1), float("epsilon", EPSILON)];
        self.op("LayerNormalization", &[x, &weight, &bias], attributes)
    }

    fn op(&mut self, operator: &str, inputs: &[&str], attributes: Vec<AttributeProto>) -> String {
        let output = format!("{operator}.{}", self.graph.node.len());
        self.graph.node.push(NodeProto {
            name: Some(output.clone()),
            input: inputs.iter().map(|&input| input.to_owned()).collect(),
            output: vec![output.clone()],
            op_type: Some(operator.to_owned()),
            attribute: attributes,
            ..Default::default()
        });
        output
    }

    /// Adds a tensor of the file without copying it; `change` runs first.
    fn weight(&mut self, name: &str, change: impl Fn(Weight) -> Weight) -> String {
        let Some(weight) = self.weights.remove(name).map(change) else {
            self.missing.get_or_insert_with(|| name.to_owned());
            return name.to_owned();
        };
        let (place, length) = (format!("{name}.data"), weight.bytes.len().to_string());
        let entry = |key: &str, value: &str| StringStringEntryProto {
            key: Some(key.to_owned()),
            value: Some(value.to_owned()),
        };
        self.graph.initializer.push(TensorProto {
            name: Some(name.to_owned()),
            dims: weight.shape.iter().map(|&size| size as i64).collect(),
            data_type: Some(DataType::FLOAT),
            data_location: Some(DataLocation::EXTERNAL),
            external_data: vec![entry("location", &place), entry("offset", "0"), entry("length", &length)],
            ..Default::default()
        });
        self.options.external_data(&place, weight.bytes);
        name.to_owned()
    }

    fn integers(&mut self, name: &str, numbers: &[i64]) -> String {
        let bytes = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.constant(name, DataType::INT64, &[numbers.len()], bytes)
    }

    fn number(&mut self, name: &str, number: f32) -> String {
        self.constant(name, DataType::FLOAT, &[], number.to_le_bytes().to_vec())
    }

    /// Adds a constant unless its name exists.
    fn constant(&mut self, name: &str, data_type: DataType, shape: &[usize], bytes: Vec<u8>) -> String {
        if !self.graph.initializer.iter().any(|known| known.name.as_deref() == Some(name)) {
            self.graph.initializer.push(TensorProto {
                name: Some(name.to_owned()),
                dims: shape.iter().map(|&size| size as i64).collect(),
                data_type: Some(data_type),
                raw_data: Some(RefCell::new(bytes)),
                ..Default::default()
            });
        }
        name.to_owned()
    }
}

/// An input of one integer per word piece.
fn input(name: &str) -> ValueInfoProto {
    let dimension = Dimension { dim_param: Some("pieces".to_owned()), ..Default::default() };
    let tensor_type = TypeProtoTensor {
        elem_type: Some(DataType::INT32),
        shape: Some(TensorShapeProto { dim: vec![dimension] }),
    };
    ValueInfoProto {
        name: Some(name.to_owned()),
        r#type: Some(TypeProto { tensor_type: Some(tensor_type), ..Default::default() }),
    }
}

fn integer(name: &str, value: i64) -> AttributeProto {
    AttributeProto { i: Some(value), ..attribute(name, AttributeType::INT) }
}

fn integers(name: &str, values: &[i64]) -> AttributeProto {
    AttributeProto { ints: values.to_vec(), ..attribute(name, AttributeType::INTS) }
}

fn float(name: &str, value: f32) -> AttributeProto {
    AttributeProto { f: Some(value), ..attribute(name, AttributeType::FLOAT) }
}

fn attribute(name: &str, kind: AttributeType) -> AttributeProto {
    AttributeProto { name: Some(name.to_owned()), r#type: Some(kind), ..Default::default() }
}
