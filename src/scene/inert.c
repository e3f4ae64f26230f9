// Components that do nothing here: what is drawn and how, the window and its mouse, messages.
//
// They are known so that scenes load without noise. Any attribute is accepted on them. What matters to a simulation
// must not be in this list: a scene that uses it would run and give other results.
//
// SPDX-License-Identifier: Apache-2.0
#include "scene/scene.h"

extern const st_class st_inert_class;

const st_class st_inert_class = {
    .name = "Inert",
    .help = "known so that scenes load; does nothing here",
    .parent = &st_object_class,
    .size = sizeof(st_object),
    .flags = ST_CLASS_ABSTRACT | ST_CLASS_INERT,
};

typedef struct visual_style {
    st_object object;
    char *display_flags;
} visual_style;

static const st_field visual_style_fields[] = {
    ST_FIELD(visual_style, display_flags, "displayFlags", st_type_string, NULL,
             "what is shown: showVisualModels, hideCollisionModels, showForceFields, ...", .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

#define INERT(name_, what)                                                                                             \
    { .name = name_, .parent = &st_inert_class, .help = what "; inert here" }

// clang-format off
const st_class st_inert_classes[] = {
    // How the scene is shown
    {.name = "VisualStyle",
     .parent = &st_inert_class,
     .help = "what is drawn of the scene; inert here",
     .fields = visual_style_fields,
     .size = sizeof(visual_style)},
    INERT("VisualGrid", "grid drawn in a plane"),
    INERT("LineAxis", "axes drawn through the scene"),
    INERT("OglSceneFrame", "axes drawn in a corner of the view"),
    INERT("Visual3DText", "text drawn at a point"),
    INERT("OglLabel", "text drawn over the view"),
    INERT("TrailRenderer", "draws the way that points have gone"),
    INERT("VisualMesh", "draws the elements of a topology"),
    INERT("VisualPointCloud", "draws the points of a state"),
    INERT("VisualTransform", "moves what is drawn below its node"),
    INERT("VisualBoundingBox", "draws the box around the scene"),
    INERT("CylinderVisualModel", "draws edges as cylinders"),
    INERT("PointSplat", "draws points as sprites"),
    INERT("SlicedVolumetricModel", "draws a volume by slices"),
    INERT("OglTetrahedralModel", "draws tetrahedra by a shader"),
    INERT("MergeVisualModels", "draws several visual models as one"),
    INERT("DataDisplay", "draws values as colors"),
    INERT("ColorMap", "colors for values"),
    INERT("TextureInterpolation", "draws values by a texture"),
    INERT("CubeCollisionModel", "boxes around collision models, which those have themselves"),
    INERT("PlasticMaterial", "a material that no force uses"),
    INERT("Distances", "distances for former skinning mappings, which nothing reads in SOFA either"),
    INERT("ClipPlane", "cuts what is drawn by a plane"),
    // Cameras, lights, views
    INERT("BaseCamera", "point of view"),
    INERT("Camera", "point of view"),
    INERT("InteractiveCamera", "point of view that the mouse moves"),
    INERT("RecordedCamera", "point of view that moves along a path"),
    INERT("LightManager", "turns lights and shadows on"),
    INERT("DirectionalLight", "light from a direction"),
    INERT("PositionalLight", "light from a point"),
    INERT("SpotLight", "light in a cone"),
    INERT("OglViewport", "second view inside of the window"),
    INERT("DefaultVisualManagerLoop", "order of drawing"),
    INERT("VisualManagerLoop", "order of drawing"),
    INERT("CompositingVisualLoop", "order of drawing with effects"),
    INERT("PostProcessManager", "effects over the picture"),
    INERT("VisualManagerPass", "one pass of drawing"),
    INERT("VisualManagerSecondaryPass", "one more pass of drawing"),
    INERT("OrderIndependentTransparencyManager", "transparency without sorting"),
    INERT("OglRenderingSRGB", "colors in sRGB"),
    // Shaders, their textures and parameters
    INERT("OglShader", "shader"),
    INERT("OglShadowShader", "shader of shadows"),
    INERT("OglOITShader", "shader of transparency"),
    INERT("OglShaderDefineMacro", "macro of a shader"),
    INERT("OglTexture", "texture of a shader"),
    INERT("OglTexture2D", "texture of a shader"),
    INERT("OglTexturePointer", "texture of a shader"),
    INERT("OglFloatAttribute", "value given to a shader"),
    INERT("OglFloat2Attribute", "value given to a shader"),
    INERT("OglFloat3Attribute", "value given to a shader"),
    INERT("OglFloat4Attribute", "value given to a shader"),
    INERT("OglIntAttribute", "value given to a shader"),
    INERT("OglInt2Attribute", "value given to a shader"),
    INERT("OglInt3Attribute", "value given to a shader"),
    INERT("OglInt4Attribute", "value given to a shader"),
    INERT("OglUIntAttribute", "value given to a shader"),
    INERT("OglUInt2Attribute", "value given to a shader"),
    INERT("OglUInt3Attribute", "value given to a shader"),
    INERT("OglUInt4Attribute", "value given to a shader"),
    INERT("OglFloatVariable", "value given to a shader"),
    INERT("OglFloat2Variable", "value given to a shader"),
    INERT("OglFloat3Variable", "value given to a shader"),
    INERT("OglFloat4Variable", "value given to a shader"),
    INERT("OglIntVariable", "value given to a shader"),
    INERT("OglInt2Variable", "value given to a shader"),
    INERT("OglInt3Variable", "value given to a shader"),
    INERT("OglInt4Variable", "value given to a shader"),
    INERT("OglFloatVectorVariable", "value given to a shader"),
    INERT("OglFloatVector2Variable", "value given to a shader"),
    INERT("OglFloatVector3Variable", "value given to a shader"),
    INERT("OglFloatVector4Variable", "value given to a shader"),
    INERT("OglIntVectorVariable", "value given to a shader"),
    INERT("OglIntVector2Variable", "value given to a shader"),
    INERT("OglIntVector3Variable", "value given to a shader"),
    INERT("OglIntVector4Variable", "value given to a shader"),
    INERT("OglMatrix2Variable", "value given to a shader"),
    INERT("OglMatrix3Variable", "value given to a shader"),
    INERT("OglMatrix4Variable", "value given to a shader"),
    INERT("OglMatrix2x3Variable", "value given to a shader"),
    INERT("OglMatrix3x2Variable", "value given to a shader"),
    INERT("OglMatrix2x4Variable", "value given to a shader"),
    INERT("OglMatrix4x2Variable", "value given to a shader"),
    INERT("OglMatrix3x4Variable", "value given to a shader"),
    INERT("OglMatrix4x3Variable", "value given to a shader"),
    INERT("OglMatrix4VectorVariable", "value given to a shader"),
    // What assembled systems do by themselves
    {.name = "MechanicalMatrixMapper",
     .parent = &st_inert_class,
     .help = "it changes nothing, matrices of mapped states are always projected",
     .flags = ST_CLASS_DEPRECATED},
    {.name = "MatrixProjectionMethod",
     .parent = &st_inert_class,
     .help = "it changes nothing, matrices of mapped states are always projected, with every Jacobian that is constant "
             "computed once",
     .flags = ST_CLASS_DEPRECATED},
    {.name = "ConstantSparsityProjectionMethod",
     .parent = &st_inert_class,
     .help = "it changes nothing, products are planned once while their patterns stand",
     .flags = ST_CLASS_DEPRECATED},
    {.name = "MappingGeometricStiffnessForceField",
     .parent = &st_inert_class,
     .help = "it changes nothing, mappings add their geometric stiffness themselves (attribute geometricStiffness)",
     .flags = ST_CLASS_DEPRECATED},
    // Settings of the window, mouse and messages
    INERT("BackgroundSetting", "background of the view"),
    INERT("ViewerSetting", "size and kind of the view"),
    INERT("StatsSetting", "what is recorded about a run"),
    INERT("SofaDefaultPathSetting", "where the window's files go"),
    INERT("MouseButtonSetting", "what a mouse button does"),
    INERT("AttachBodyButtonSetting", "mouse button that pulls a body by a spring"),
    INERT("AttachBodyButton", "mouse button that pulls a body by a spring"),
    INERT("ConstraintAttachButtonSetting", "mouse button that pulls a body by a constraint"),
    INERT("ConstraintAttachButton", "mouse button that pulls a body by a constraint"),
    INERT("FixPickedParticleButtonSetting", "mouse button that fixes points"),
    INERT("FixPickedParticleButton", "mouse button that fixes points"),
    INERT("AddFrameButtonSetting", "mouse button that adds a frame"),
    INERT("AddFrameButton", "mouse button that adds a frame"),
    INERT("AddRecordedCameraButtonSetting", "mouse button that records views"),
    INERT("AddRecordedCameraButton", "mouse button that records views"),
    INERT("StartNavigationButtonSetting", "mouse button that starts a camera path"),
    INERT("StartNavigationButton", "mouse button that starts a camera path"),
    INERT("TaskSchedulerSettings", "number of threads; the caller says it here"),
    INERT("InfoComponent", "note in the scene; stands where a component could not be created"),
    INERT("MessageHandlerComponent", "filters messages"),
    INERT("FileMessageHandlerComponent", "writes messages to a file"),
    INERT("InputEventReader", "reads a device"),
    {.name = NULL},
};
// clang-format on
