"""Makes a transducer of the small recogniser, as sherpa-onnx's keyword spotter wants one.

python3 keywords.py RECOGNISER OUT: reads RECOGNISER/model.onnx, writes OUT/{decoder,joiner}.onnx. The recogniser itself is the encoder.

What it answers a frame is the probability of each piece by CTC: a piece that lasts for several frames is one. A transducer says a
piece once. So the decoder tells the joiner which piece was said last, and the joiner counts that one as silence.
"""

import pathlib
import sys

import onnx
from onnx import TensorProto, helper

CONTEXT = 2


def pieces_in(model):
    return model.graph.output[0].type.tensor_type.shape.dim[-1].dim_value


def written(path, nodes, inputs, outputs, constants, metadata):
    graph = helper.make_graph(nodes, path.stem, inputs, outputs, constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    for key, value in metadata.items():
        model.metadata_props.append(onnx.StringStringEntryProto(key=key, value=str(value)))
    onnx.checker.check_model(model)
    onnx.save(model, str(path))


def integers(name, *values):
    return helper.make_tensor(name, TensorProto.INT64, [len(values)], values)


def decoder(path, pieces):
    nodes = [
        helper.make_node("Slice", ["y", "last", "end", "along"], ["said"]),
        helper.make_node("Squeeze", ["said", "along"], ["one"]),
        helper.make_node("OneHot", ["one", "pieces", "offAndOn"], ["hot"]),
        helper.make_node("Mul", ["hot", "isPiece"], ["decoder_out"]),
    ]
    constants = [
        integers("last", CONTEXT - 1), integers("end", CONTEXT), integers("along", 1), integers("pieces", pieces),
        helper.make_tensor("offAndOn", TensorProto.FLOAT, [2], [0, 1]),
        helper.make_tensor("isPiece", TensorProto.FLOAT, [pieces], [0] + [1] * (pieces - 1)),
    ]
    told = helper.make_tensor_value_info("y", TensorProto.INT64, ["N", CONTEXT])
    out = helper.make_tensor_value_info("decoder_out", TensorProto.FLOAT, ["N", pieces])
    written(path, nodes, [told], [out], constants, {"context_size": CONTEXT, "vocab_size": pieces})


def joiner(path, pieces):
    nodes = [
        helper.make_node("Exp", ["encoder_out"], ["heard"]),
        helper.make_node("Mul", ["heard", "decoder_out"], ["again"]),
        helper.make_node("Sub", ["heard", "again"], ["others"]),
        helper.make_node("ReduceSum", ["again", "along"], ["goingOn"], keepdims=1),
        helper.make_node("Mul", ["goingOn", "isSilence"], ["silence"]),
        helper.make_node("Add", ["others", "silence"], ["all"]),
        helper.make_node("Max", ["all", "least"], ["some"]),
        helper.make_node("Log", ["some"], ["logit"]),
    ]
    constants = [
        integers("along", 1),
        helper.make_tensor("isSilence", TensorProto.FLOAT, [pieces], [1] + [0] * (pieces - 1)),
        helper.make_tensor("least", TensorProto.FLOAT, [1], [1e-10]),
    ]
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, ["N", pieces]) for name in ("encoder_out", "decoder_out")
    ]
    out = helper.make_tensor_value_info("logit", TensorProto.FLOAT, ["N", pieces])
    written(path, nodes, inputs, [out], constants, {"joiner_dim": pieces})


if __name__ == "__main__":
    recogniser, out = map(pathlib.Path, sys.argv[1:])
    count = pieces_in(onnx.load(str(recogniser / "model.onnx")))
    out.mkdir(parents=True, exist_ok=True)
    decoder(out / "decoder.onnx", count)
    joiner(out / "joiner.onnx", count)
    print(f"{count} pieces")
